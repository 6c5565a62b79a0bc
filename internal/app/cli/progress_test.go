package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProgressBarIsThrottledAndCleared(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Unix(1000, 0)
	p := &progress{out: &out, terminal: true, now: func() time.Time { return now }}
	for i := range 100 {
		p.show(float64(i), "x")
		now = now.Add(10 * time.Millisecond)
	}
	p.show(100, "all")
	if n := strings.Count(out.String(), "\r"); n != 11 {
		t.Errorf("drawn %d times: %q", n, out.String())
	}
	if !strings.HasSuffix(out.String(), "\r\x1b[K"+strings.Repeat("█", barWidth)+" 100 %  all") {
		t.Errorf("the last bar is %q", out.String())
	}
	out.Reset()
	p.end()
	p.end()
	if out.String() != "\r\x1b[K" {
		t.Errorf("ended with %q", out.String())
	}
}

func TestProgressPrintsOneLinePerTenth(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &progress{out: &out, now: time.Now}
	for _, percent := range []float64{0, 5, 9.9, 10, 12, 55, 54, 59, 100, 120} {
		p.show(percent, "x")
	}
	if want := " 10 %  x\n 50 %  x\n100 %  x\n"; out.String() != want {
		t.Errorf("wrote %q, want %q", out.String(), want)
	}
}

func TestTerminalsAreDetected(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
	if err != nil {
		t.Fatal(err)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*os.File{file, null, read, write, terminal} {
		defer func() { _ = f.Close() }()
	}
	for name, c := range map[string]struct {
		w    io.Writer
		want bool
	}{"file": {file, false}, "null device": {null, false}, "pipe": {write, false},
		"buffer": {&strings.Builder{}, false}, "terminal": {terminal, true}} {
		if got := isTerminal(c.w); got != c.want {
			t.Errorf("%s: terminal %v", name, got)
		}
	}
}
