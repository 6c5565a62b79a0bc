package sandbox

import (
	"strings"
	"sync"
	"unicode"
)

// How many bytes of the beginning and the end of a program's output are kept.
const (
	maxPrinted = 32 << 10
	maxEnd     = 4 << 10
)

// Printed keeps the beginning and the end of a program's output, from one or more streams. It is safe for
// concurrent use.
type Printed struct {
	mu   sync.Mutex
	text []byte // the beginning
	end  []byte // the last bytes, at most twice maxEnd
	more bool   // text is incomplete
}

// Write never fails, so that it never blocks or stops the program.
func (p *Printed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	room := maxPrinted - len(p.text)
	p.more = p.more || len(b) > room
	p.text = append(p.text, b[:min(len(b), room)]...)
	p.end = append(p.end, b[max(0, len(b)-maxEnd):]...)
	if len(p.end) > 2*maxEnd {
		p.end = append(p.end[:0], p.end[len(p.end)-maxEnd:]...)
	}
	return len(b), nil
}

// String returns the beginning of the output without terminal escape sequences, and marks it if it was truncated.
func (p *Printed) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := plainLines(string(p.text))
	if p.more {
		text += "\n[truncated]"
	}
	return text
}

// Cut reports whether String is truncated.
func (p *Printed) Cut() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.more
}

// End returns the last bytes of the output, without terminal escape sequences.
func (p *Printed) End() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return plainLines(string(p.end[max(0, len(p.end)-maxEnd):]))
}

// Plain removes terminal escape sequences:
//
//	ESC [ { 0x20–0x3f } final   ESC ] { any } ( BEL | ESC \ )   ESC any   other control characters, tabs excepted
func Plain(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		if s[i] != 0x1b {
			out.WriteByte(s[i])
			i++
			continue
		}
		i++
		switch {
		case i >= len(s):
		case s[i] == '[':
			for i++; i < len(s) && s[i] >= 0x20 && s[i] <= 0x3f; i++ {
			}
			i++
		case s[i] == ']':
			for i++; i < len(s) && s[i] != 0x07 && s[i] != 0x1b; i++ {
			}
			if i < len(s) && s[i] == 0x1b {
				i++
			}
			i++
		default:
			i++
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(out.String(), "�"))
}

// plainLines applies Plain to each line.
func plainLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}
