package mdx

import (
	"strings"
)

// definition is the target in a link definition, [label]: url "title".
type definition struct{ url, title string }

// minCopied is the number of bytes that references on a page may always copy from definitions. A large page may copy
// twice its own size. Without a limit, a short page that refers many times to a long address would produce a huge page.
const minCopied = 100_000

// reference finds the definition of a label.
func (p *parser) reference(label string) (definition, bool) {
	def, ok := p.refs[normalLabel(label)]
	if !ok {
		return def, false
	}
	p.copied -= len(def.url) + len(def.title)
	return def, p.copied > 0
}

// cutDefinitions removes the link definitions from the start of a paragraph. If nothing else remains, the paragraph
// becomes a dropped block.
func (p *parser) cutDefinitions(b *block) {
	first := p.pieces[b.from]
	if first.start >= first.end || p.src[first.start] != '[' {
		return
	}
	t := p.textOf(p.pieces[b.from:b.to])
	at, lines := 0, 0
	for at < len(t.s) {
		at += leadingSpace(t.s[at:])
		label, def, end := readDefinition(t.s, at)
		if end == 0 {
			break
		}
		if p.refs == nil {
			p.refs = map[string]definition{}
		}
		if _, ok := p.refs[label]; !ok {
			p.refs[label] = def
		}
		lines += 1 + strings.Count(t.s[at:end], "\n")
		at = min(end+1, len(t.s))
	}
	if lines == 0 {
		return
	}
	b.from += lines
	if b.from >= b.to {
		b.kind = kindDropped
		return
	}
	l := &p.pieces[b.from]
	l.start += leadingSpace(p.src[l.start:l.end])
	b.start = l.start
}

// readDefinition reads one definition at s[at:]. end is the offset of its line end, or 0 if there is no definition.
func readDefinition(s string, at int) (label string, def definition, end int) {
	inner, i := readLabel(s, at)
	if i == 0 || i >= len(s) || s[i] != ':' {
		return "", def, 0
	}
	label = normalLabel(inner)
	if label == "" {
		return "", def, 0
	}
	i, ok := skipBreak(s, i+1)
	if !ok {
		return "", def, 0
	}
	if i >= len(s) {
		return "", def, 0
	}
	dest, i := readDestination(s, i, false)
	if i == 0 {
		return "", def, 0
	}
	def.url = unescape(dest)
	// The title may be on the next line. If there is none, the definition ends before that line.
	lineEnd := i + leadingSpace(s[i:])
	plain := lineEnd >= len(s) || s[lineEnd] == '\n'
	if j, ok := skipBreak(s, i); ok && j > i && j < len(s) {
		if title, k := readTitle(s, j); k > 0 {
			k += leadingSpace(s[k:])
			if k >= len(s) || s[k] == '\n' {
				def.title = unescape(title)
				return label, def, k
			}
		}
	}
	if !plain {
		return "", def, 0
	}
	return label, def, lineEnd
}

// skipBreak skips white space with at most one line break. ok is false if there are more.
func skipBreak(s string, i int) (int, bool) {
	i += leadingSpace(s[i:])
	if i < len(s) && s[i] == '\n' {
		i++
		i += leadingSpace(s[i:])
		if i < len(s) && s[i] == '\n' {
			return i, false
		}
	}
	return i, true
}

// readLabel reads [label] at s[at:]. end is the offset after the bracket, or 0 if there is no label.
func readLabel(s string, at int) (inner string, end int) {
	if at >= len(s) || s[at] != '[' {
		return "", 0
	}
	for i := at + 1; i < len(s) && i-at <= 1000; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return "", 0
		case ']':
			return s[at+1 : i], i + 1
		}
	}
	return "", 0
}

// normalLabel normalizes a label, so that labels that differ only in case and white space are equal.
func normalLabel(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			s = strings.ToLower(strings.ToUpper(strings.ToLower(s)))
			return strings.ReplaceAll(s, "ß", "ss")
		}
	}
	return strings.ToLower(s)
}

// readDestination reads a link's address at s[i:]. end is the offset after it, or 0 if there is none. If link is
// set, the address may be empty. Parentheses in it must be balanced.
func readDestination(s string, i int, link bool) (dest string, end int) {
	if s[i] == '<' {
		for j := i + 1; j < len(s); j++ {
			switch s[j] {
			case '\\':
				j++
			case '<', '\n':
				return "", 0
			case '>':
				return s[i+1 : j], j + 1
			}
		}
		return "", 0
	}
	depth, j := 0, i
scan:
	for ; j < len(s); j++ {
		switch c := s[j]; {
		case c == '\\' && j+1 < len(s) && isPunct(s[j+1]):
			j++
		case c == '(':
			if depth++; depth > 32 {
				return "", 0
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		case c <= ' ' || c == 0x7f:
			break scan
		}
	}
	if depth != 0 || j == i && !link || j < len(s) && s[j] < ' ' && s[j] != '\n' && s[j] != '\t' {
		return "", 0
	}
	return s[i:j], j
}

// readTitle reads "…", '…' or (…) at s[i:]. end is the offset after it, or 0 if there is none.
func readTitle(s string, i int) (title string, end int) {
	closing := s[i]
	switch closing {
	case '"', '\'':
	case '(':
		closing = ')'
	default:
		return "", 0
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case '\\':
			j++
		case closing:
			return s[i+1 : j], j + 1
		case '(':
			if closing == ')' {
				return "", 0
			}
		}
	}
	return "", 0
}
