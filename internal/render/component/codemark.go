package component

import (
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// marks are the highlights of one code line.
type marks uint8

const (
	marked marks = 1 << iota
	focused
	added
	removed
	failing // error
	warning
)

// marker collects marks for ranges of lines in one pass, by counting where each mark starts and ends.
type marker struct {
	bits  []marks
	steps map[marks][]int
}

func newMarker(lines int) *marker {
	return &marker{bits: make([]marks, lines), steps: map[marks][]int{}}
}

// add marks lines first to last, from 0. Lines out of range are ignored.
func (m *marker) add(bit marks, first, last int) {
	n := len(m.bits)
	first, last = max(first, 0), min(last, n-1)
	if first > last {
		return
	}
	if m.steps[bit] == nil {
		m.steps[bit] = make([]int, n+1)
	}
	m.steps[bit][first]++
	m.steps[bit][last+1]--
}

func (m *marker) result() []marks {
	for bit, steps := range m.steps {
		depth := 0
		for i := range m.bits {
			if depth += steps[i]; depth > 0 {
				m.bits[i] |= bit
			}
		}
	}
	return m.bits
}

// note is an annotation in the code: [!code ++], [!code highlight:3].
type note struct {
	bit   marks
	line  int // index in the lines that remain, from 0
	count int
}

var noteBits = map[string]marks{
	"++": added, "add": added, "--": removed, "remove": removed, "highlight": marked, "hl": marked, "mark": marked,
	"focus": focused,
	"error": failing, "warning": warning, "warn": warning, "word": 0,
}

const noteStart = "[!code "

// noteOpen and noteClose match the comment around a note, in the syntax of any language.
var (
	noteOpen  = lazyregexp.New(`(?:\{?/\*+|<!--|//+|--|[#;%'"]+)?[ \t]*$`)
	noteClose = lazyregexp.New(`^[ \t]*(?:\*+/\}?|-->)?`)
)

// cutNotes removes the notes from code. A line that contains only a note is removed, and the note applies to the
// lines after it.
func cutNotes(code string) (rest string, notes []note) {
	if !strings.Contains(code, noteStart) {
		return code, nil
	}
	var out []string
	for line := range strings.SplitSeq(code, "\n") {
		left, found := cutLineNotes(line)
		for i := range found {
			found[i].line = len(out)
		}
		notes = append(notes, found...)
		if len(found) > 0 && strings.TrimSpace(left) == "" {
			continue
		}
		out = append(out, left)
	}
	return strings.Join(out, "\n"), notes
}

// cutLineNotes examines each note at most once, from the end, so that it takes time linear in the length of the line.
func cutLineNotes(line string) (left string, notes []note) {
	for end := len(line); ; {
		at := strings.LastIndex(line[:end], noteStart)
		if at < 0 {
			return line, notes
		}
		size := strings.IndexByte(line[at:min(len(line), at+200)], ']')
		n, ok := note{}, false
		if size > 0 {
			n, ok = parseNote(line[at+len(noteStart) : at+size])
		}
		end = at
		if !ok {
			continue
		}
		before, after := line[:at], line[at+size+1:]
		open := noteOpen.FindStringIndex(before[max(0, at-20):])
		before = before[:max(0, at-20)+open[0]]
		after = after[len(noteClose.FindString(after)):]
		line = strings.TrimRight(before+after, " \t")
		end = min(len(before), len(line))
		if n.bit != 0 {
			notes = append(notes, n)
		}
		if len(notes) > 16 {
			return line, notes
		}
	}
}

func parseNote(s string) (note, bool) {
	name, count, counted := strings.Cut(strings.TrimSpace(s), ":")
	bit, ok := noteBits[name]
	n := note{bit: bit, count: 1}
	if counted && name != "word" {
		c, err := strconv.Atoi(count)
		ok = ok && err == nil && c > 0
		n.count = min(c, 1<<20)
	}
	return n, ok
}

// cutTwoslash removes the parts that are only for the type checker: everything before ---cut---, settings and
// queries.
func cutTwoslash(code string) string {
	var out []string
	for line := range strings.SplitSeq(code, "\n") {
		rest, comment := strings.CutPrefix(strings.TrimSpace(line), "//")
		rest = strings.TrimSpace(rest)
		switch {
		case comment && (rest == "---cut---" || rest == "---cut-before---"):
			out = out[:0]
		case comment && rest == "---cut-after---":
			return strings.Join(out, "\n")
		case comment && (strings.HasPrefix(rest, "@") || strings.HasPrefix(rest, "^?") ||
			strings.HasPrefix(rest, "^|")):
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// codeText returns the code that readers see, and the marks of each line.
func codeText(b *CodeBlock) (text string, lines []marks) {
	text = b.Text
	if b.Twoslash {
		text = cutTwoslash(text)
	}
	var notes []note
	if !pageSource(b.Lang) {
		text, notes = cutNotes(text)
	}
	m := newMarker(strings.Count(text, "\n") + 1)
	for _, r := range b.Highlight {
		m.add(marked, r.First-1, r.Last-1)
	}
	for _, r := range b.Focus {
		m.add(focused, r.First-1, r.Last-1)
	}
	for _, n := range notes {
		m.add(n.bit, n.line, n.line+n.count-1)
	}
	if b.Diff {
		i := 0
		for line := range strings.SplitSeq(text, "\n") {
			if strings.HasPrefix(line, "+") {
				m.add(added, i, i)
			} else if strings.HasPrefix(line, "-") {
				m.add(removed, i, i)
			}
			i++
		}
	}
	return text, m.result()
}

// pageSource reports whether a language shows the source of a page. In such code, notes are kept as part of the text.
func pageSource(lang string) bool {
	switch strings.ToLower(lang) {
	case "mdx", "md", "markdown":
		return true
	}
	return false
}
