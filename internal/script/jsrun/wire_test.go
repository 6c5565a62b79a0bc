package jsrun

import (
	"bytes"
	"io"
	"testing"
)

func TestFrameRoundTrips(t *testing.T) {
	for _, text := range []string{"", "x", string(make([]byte, 100_000))} {
		var b bytes.Buffer
		if err := writeFrame(&b, answer, []byte(text)); err != nil {
			t.Fatal(err)
		}
		kind, got, err := readFrame(&b, len(text))
		if err != nil || kind != answer || string(got) != text || b.Len() != 0 {
			t.Errorf("%d bytes: kind %c, %d bytes, %v", len(text), kind, len(got), err)
		}
		_ = writeFrame(&b, answer, []byte(text+"y"))
		if _, _, err := readFrame(&b, len(text)); err == nil {
			t.Errorf("a frame of more than %d bytes was read", len(text))
		}
	}
}

// fakeProcess is a process whose output comes from the fuzzer.
type fakeProcess struct {
	io.Reader
	io.Writer
}

func (fakeProcess) Kill() {}

func FuzzReply(f *testing.F) {
	for _, seed := range []string{"\x00\x00\x00\x01a", "\x00\x00\x00\x03t{}", "\x00\x00\x00\x04bno",
		"\xff\xff\xff\xffa", "\x00\x00\x00\x00a", "\x00\x00\x00\x12t{\"Name\":\"\\ud800\"}", ""} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		text, err := reply(&child{Process: fakeProcess{bytes.NewReader(said), io.Discard}}, 100)
		if len(text) > maxWords || err == nil && len(said) < 5 {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		if err != nil && len(err.Error()) > 1200 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	})
}
