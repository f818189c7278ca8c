package jsonstream_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"benchguide/parse/internal/jsonstream"
)

// detailed makes a file of about size bytes in the shape of vLLM's --save-detailed.
func detailed(size int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(`{"date": "20261130-214925", "duration": 28.57, "completed": 100, "itls": [`)
	for i := 0; b.Len() < size*9/10; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('[')
		for j := range 200 {
			if j > 0 {
				b.WriteString(", ")
			}
			fmt.Fprint(&b, rnd.Float64()/100)
		}
		b.WriteByte(']')
	}
	b.WriteString(`], "generated_texts": [`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(`"` + string(bytes.Repeat([]byte(`the model said \"so\" \u00e9 `), 40)) + `"`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// BenchmarkSkip and BenchmarkRead compare this package with jsontext on one file:
// go test -bench . -count 6 -cpu 1 ./parse/internal/jsonstream
func BenchmarkSkip(b *testing.B) {
	src := detailed(50 << 20)
	b.Run("jsonstream", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			r := jsonstream.NewReader(&text{window: src, line: 1})
			if r.Skip(); r.Err() != nil {
				b.Fatal(r.Err())
			}
		}
	})
	b.Run("jsontext", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if err := jsontext.NewDecoder(bytes.NewReader(src)).SkipValue(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	src := detailed(50 << 20)
	b.Run("jsonstream", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			sum := 0.0
			r := jsonstream.NewReader(&text{window: src, line: 1})
			r.Object(func(key string) {
				if key == "itls" {
					r.Array(func() { r.Floats(func(f float64) { sum += f }) })
				}
			})
			if r.Err() != nil || sum == 0 {
				b.Fatal(r.Err(), sum)
			}
		}
	})
	b.Run("jsontext", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			sum := 0.0
			d := jsontext.NewDecoder(bytes.NewReader(src))
			for {
				token, err := d.ReadToken()
				if err != nil {
					break
				}
				if token.Kind() == '0' {
					sum += token.Float()
				}
			}
			if sum == 0 {
				b.Fatal("nothing read")
			}
		}
	})
}
