package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// redraw is the least time between two drawings of a bar; a terminal shows no more anyway.
const redraw = 100 * time.Millisecond

const barWidth = 30 // characters

// progress shows how far something is: a bar that is redrawn on a terminal, a line for every tenth elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	now      func() time.Time

	drawn time.Time // of the bar
	shown bool      // a bar stands on the terminal's last line
	tenth int       // last one printed as a line
}

// progress shows on standard error, or nowhere when quiet.
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
	null, err := os.Stat(os.DevNull) // a device that shows nothing to anybody
	return err != nil || !os.SameFile(info, null)
}

// show says that percent of the whole is done; label says it in other words.
func (p *progress) show(percent float64, label string) {
	percent = min(max(percent, 0), 100)
	if !p.terminal {
		if tenth := int(percent) / 10; tenth > p.tenth {
			p.tenth = tenth
			fmt.Fprintf(p.out, "%3d %%  %s\n", tenth*10, label)
		}
		return
	}
	if now := p.now(); percent == 100 || now.Sub(p.drawn) >= redraw {
		p.drawn, p.shown = now, true
		full := int(percent) * barWidth / 100
		fmt.Fprintf(p.out, "\r\x1b[K%s%s %3d %%  %s", strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
			int(percent), label)
	}
}

// end removes the bar, so that what is printed next has the line to itself.
func (p *progress) end() {
	if p.shown {
		p.shown = false
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
