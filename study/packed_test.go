package study_test

import (
	"bytes"
	"compress/gzip"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"benchguide/study"
	"benchguide/study/studytest"
)

// gzipped is a text as `gzip -n` leaves it.
func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(text)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// packedRun is a finished run whose files all lie there packed.
func packedRun(t *testing.T) fstest.MapFS {
	t.Helper()
	packed := fstest.MapFS{}
	for name, f := range studytest.Made().FS() {
		if strings.HasPrefix(name, madeRun+"/") {
			f, name = &fstest.MapFile{Data: gzipped(t, f.Data)}, name+".gz"
		}
		packed[name] = f
	}
	return packed
}

func TestPackedFilesAreReadLikeOthers(t *testing.T) {
	t.Parallel()
	plain, found := study.Load(studytest.Made().FS(), studytest.Dir)
	require.Empty(t, found)
	packed, found := study.Load(packedRun(t), studytest.Dir)
	require.Empty(t, found, "the seals hold")
	require.Empty(t, cmp.Diff(plain.Runs, packed.Runs, cmp.Exporter(func(reflect.Type) bool { return true })))
}

func TestWhatIsWrongWithPackedFilesIsSaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string][]byte
		want  string
	}{
		{"changed inside", map[string][]byte{"/server.log.gz": gzipped(t, []byte("other"))}, "server.log: the file was changed after it was sealed"},
		{"no gzip", map[string][]byte{"/server.log.gz": []byte("hello, this is text")}, "server.log.gz: gzip: invalid header"},
		{"cut off", map[string][]byte{"/main.txt.gz": gzipped(t, bytes.Repeat([]byte("text "), 100))[:30]}, "main.txt.gz: unexpected EOF"},
		{"there both ways", map[string][]byte{"/server.log": []byte("other")}, "server.log: the file was changed after it was sealed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := packedRun(t)
			for name, data := range c.files {
				files[madeStart+name] = &fstest.MapFile{Data: data}
			}
			_, problems := study.Load(files, studytest.Dir)
			var all []string
			for _, p := range problems {
				all = append(all, p.Error())
			}
			require.Contains(t, strings.Join(all, "\n"), c.want)
		})
	}
}
