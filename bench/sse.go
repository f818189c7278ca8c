package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxEvent bounds one event. A token's chunk has some hundred bytes; a body that never
// ends a line is no stream.
const maxEvent = 16 << 20

// events reads server-sent events: the data of each, whatever its name. Comments,
// which servers send to keep a connection open, are passed over.
type events struct {
	r    *bufio.Reader
	data []byte // of the event at hand, used again for the next: a thousand streams make garbage fast
}

func newEvents(r io.Reader) *events { return &events{r: bufio.NewReader(r)} }

// next returns the data of the next event, valid until the next call, or io.EOF. Data that
// the stream ends with, without the empty line that closes an event, is returned too:
// servers leave it out after [DONE].
func (e *events) next() ([]byte, error) {
	e.data = e.data[:0]
	has := false
	for {
		line, err := e.line()
		if errors.Is(err, io.EOF) && len(line) == 0 {
			if has {
				return e.data, nil
			}
			return nil, io.EOF
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(line) == 0 && has {
			return e.data, nil
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		if has {
			e.data = append(e.data, '\n')
		}
		e.data, has = append(e.data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(e.data) > maxEvent {
			return nil, tooLong()
		}
	}
}

// line returns the next line without its end. Its bytes are valid until the next call.
func (e *events) line() ([]byte, error) {
	var whole []byte
	for {
		part, err := e.r.ReadSlice('\n')
		if whole == nil && err == nil {
			return bytes.TrimRight(part, "\r\n"), nil
		}
		whole = append(whole, part...)
		if len(whole) > maxEvent {
			return nil, tooLong()
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(whole, "\r\n"), err
		}
	}
}

func tooLong() error {
	return fmt.Errorf("an event of the stream is longer than %d bytes; this is no stream of tokens", maxEvent)
}
