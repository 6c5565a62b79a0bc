package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// redraw is the minimum interval between redraws of a progress bar.
const redraw = 100 * time.Millisecond

const barWidth = 30 // characters

// progress shows progress: a bar on a terminal, otherwise a line for every ten percent.
type progress struct {
	out      io.Writer
	terminal bool
	now      func() time.Time

	drawn time.Time // when the bar was last drawn
	shown bool      // the bar is visible on the terminal's last line
	tenth int       // last multiple of ten percent printed as a line
}

// progress returns a progress display on standard error, or one that shows nothing if quiet is set.
func (r *run) progress(quiet bool) *progress {
	if quiet {
		return &progress{out: io.Discard, now: r.Now}
	}
	return &progress{out: r.Stderr, terminal: isTerminal(r.Stderr), now: r.Now}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull) // the null device, which is also a character device
	return err != nil || !os.SameFile(info, null)
}

// due reports whether show would display anything now.
func (p *progress) due(percent float64) bool {
	if !p.terminal {
		return int(percent)/10 > p.tenth
	}
	return percent >= 100 || p.now().Sub(p.drawn) >= redraw
}

// show displays percent of the whole, with a label.
func (p *progress) show(percent float64, label string) {
	percent = min(max(percent, 0), 100)
	switch {
	case !p.due(percent):
	case !p.terminal:
		p.tenth = int(percent) / 10
		fmt.Fprintf(p.out, "%3d %%  %s\n", p.tenth*10, label)
	default:
		p.drawn, p.shown = p.now(), true
		full := int(percent) * barWidth / 100
		fmt.Fprintf(p.out, "\r\x1b[K%s%s %3d %%  %s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
			int(percent), label)
	}
}

// end removes the bar, so that the next output starts on an empty line.
func (p *progress) end() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
