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
type events struct{ r *bufio.Reader }

func newEvents(r io.Reader) *events { return &events{bufio.NewReader(r)} }

// next returns the data of the next event, or io.EOF. Data that the stream ends with,
// without the empty line that closes an event, is returned too: servers leave it out
// after [DONE].
func (e *events) next() (string, error) {
	var data []byte
	has := false
	for {
		line, err := e.line()
		if errors.Is(err, io.EOF) && len(line) == 0 {
			if has {
				return string(data), nil
			}
			return "", io.EOF
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return "", err
		}
		if len(line) == 0 && has {
			return string(data), nil
		}
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if !ok {
			continue
		}
		if has {
			data = append(data, '\n')
		}
		data, has = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(data) > maxEvent {
			return "", tooLong()
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
