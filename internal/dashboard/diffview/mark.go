package diffview

import (
	"strings"
	"unicode"

	"github.com/lectern-docs/lectern/internal/foundation/linediff"
)

// Part is a part of a partially changed line.
type Part struct {
	Text   string
	Marked bool
}

// mark marks the changed words in each run of removed lines followed by the same number of added lines, so that a
// changed letter in a long line is visible. Lines with little in common are not marked.
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

// run returns the number of leading lines of a kind.
func run(lines []Line, kind string) (n int) {
	for n < len(lines) && lines[n].Kind == kind {
		n++
	}
	return n
}

const (
	maxMarked = 2000    // bytes of a line in which changes are marked
	maxEffort = 2 << 20 // pairs of words compared per text; after that, lines are not marked
)

// pair marks the difference between two lines if they share at least half the words of the shorter one. It reduces
// the remaining effort.
func pair(a, b *Line, effort *int) {
	if len(a.Text) > maxMarked || len(b.Text) > maxMarked {
		return
	}
	left, right := wordsOf(a.Text), wordsOf(b.Text)
	if *effort -= len(left) * len(right); *effort < 0 {
		return
	}
	var old, fresh parts
	at := 0 // index into left
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

// parts collects the parts of a line.
type parts struct {
	list []Part
	kept int // number of unmarked letters
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

// wordsOf splits a text without line endings into words and the text between them, each with a line ending.
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
