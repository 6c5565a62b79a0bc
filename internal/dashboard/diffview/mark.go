package diffview

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Part is a part of a line of which something changed.
type Part struct {
	Text   string
	Marked bool
}

// mark finds in each run of removed lines that is followed by as many added ones the words that changed, so that a
// reader sees a letter in a long line. Lines that have little in common stay whole.
func mark(lines []Line) {
	effort := maxEffort
	for i := 0; i < len(lines); {
		old := run(lines[i:], Old)
		fresh := run(lines[i+old:], New)
		for n := range old {
			if old == fresh {
				pair(&lines[i+n], &lines[i+old+n], &effort)
			}
		}
		i += max(old+fresh, 1)
	}
}

// run returns how many lines of a kind come first.
func run(lines []Line, kind string) (n int) {
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return n
}

const (
	maxMarked = 2000    // bytes of a line that is looked into
	maxEffort = 2 << 20 // pairs of words that are compared in one text; lines beyond stay whole
)

// pair marks what two lines do not share, if they share half of the words of the shorter one or more. It takes from the
// effort that is left.
func pair(a, b *Line, effort *int) {
	if len(a.Text) > maxMarked || len(b.Text) > maxMarked {
		return
	}
	left, right := wordsOf(a.Text), wordsOf(b.Text)
	if *effort -= len(left) * len(right); *effort < 0 {
		return
	}
	var old, fresh parts
	at := 0 // of left
	for _, h := range linediff.Hunks(strings.Join(left, ""), strings.Join(right, "")) {
		for ; at < h.Old-1; at++ {
			old.keep(left[at], &fresh)
		}
		for _, w := range h.Lines {
			switch w.Kind {
			case '-':
				old.add(w.Text, true)
				at++
			case '+':
				fresh.add(w.Text, true)
			default:
				old.keep(w.Text, &fresh)
				at++
			}
		}
	}
	for ; at < len(left); at++ {
		old.keep(left[at], &fresh)
	}
	if old.kept > 0 && 2*old.kept >= min(letters(a.Text), letters(b.Text)) {
		a.Parts, b.Parts = old.list, fresh.list
	}
}

// parts are those of a line, as they are found.
type parts struct {
	list []Part
	kept int // letters that are not marked
}

func (p *parts) keep(word string, other *parts) {
	p.kept += letters(word)
	p.add(word, false)
	other.add(word, false)
}

func (p *parts) add(word string, marked bool) {
	word = strings.TrimSuffix(word, "\n")
	if n := len(p.list); n > 0 && p.list[n-1].Marked == marked {
		p.list[n-1].Text += word
		return
	}
	p.list = append(p.list, Part{word, marked})
}

// wordsOf takes a text without line ends apart: words, and what stands between them, each on a line of its own.
func wordsOf(s string) (out []string) {
	begin, in := 0, false
	for i, r := range s {
		if now := letter(r); !now || !in {
			if i > begin {
				out = append(out, s[begin:i]+"\n")
			}
			begin, in = i, now
		}
	}
	if begin < len(s) {
		out = append(out, s[begin:]+"\n")
	}
	return out
}

func letters(s string) (n int) {
	for _, r := range s {
		if letter(r) {
			n++
		}
	}
	return n
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
