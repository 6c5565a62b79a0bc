package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns plain text as inline Markdown. Nothing in it is interpreted as a mark, a tag or an expression.
func Text(s string) string {
	var b strings.Builder
	escape(&b, oneLine(s), false)
	return b.String()
}

// Code returns text as a code span.
func Code(s string) string { return codeSpan(s, false) }

// Word returns a short text, such as the name of a type. The text is unchanged if it needs no escaping; otherwise it
// becomes a code span.
func Word(s string) string {
	if s = oneLine(s); Text(s) == s {
		return s
	}
	return Code(s)
}

// Link returns a link whose text is plain.
func Link(text, href string) string { return "[" + Text(text) + "](" + address(href) + ")" }

// special contains the bytes that escape examines.
var special = func() (t [256]bool) {
	for c := range byte(' ') {
		t[c] = c != '\n' && c != '\t'
	}
	for _, c := range []byte("\\`[]{$*~_<&|\x7f") {
		t[c] = true
	}
	return t
}()

// escape writes text so that Markdown shows it literally. cell is set in tables, where "|" ends a cell.
func escape(b *strings.Builder, s string, cell bool) {
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !special[c] {
			continue
		}
		if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
			b.WriteString(s[start:i])
			start = i + 1
			continue
		}
		if !marks(s, i, cell) {
			continue
		}
		b.WriteString(s[start:i])
		b.WriteByte('\\')
		start = i
	}
	b.WriteString(strings.ToValidUTF8(s[start:], "\uFFFD"))
}

// marks reports whether the byte at i would be interpreted as syntax.
func marks(s string, i int, cell bool) bool {
	switch s[i] {
	case '\\', '`', '[', ']', '{', '$':
		return true
	case '*', '~':
		return !between(s, i, unicode.IsSpace)
	case '_':
		return !between(s, i, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	case '<':
		return i+1 == len(s) || s[i+1] != ' '
	case '&':
		return entity(s[i+1:])
	case '|':
		return cell
	}
	return false
}

// between reports whether both neighbours of the byte at i satisfy is.
func between(s string, i int, is func(rune) bool) bool {
	before, n := utf8.DecodeLastRuneInString(s[:i])
	after, m := utf8.DecodeRuneInString(s[i+1:])
	return n > 0 && m > 0 && is(before) && is(after)
}

// entity reports whether text after "&" is a character reference.
func entity(s string) bool {
	end := strings.IndexByte(s[:min(len(s), 40)], ';')
	if end <= 0 {
		return false
	}
	for i := range end {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && (s[i] != '#' || i > 0) {
			return false
		}
	}
	return true
}

// harmless escapes characters that would start a block at the beginning of a line.
func harmless(line string) string {
	if line == "" {
		return line
	}
	switch line[0] {
	case '#':
		rest := strings.TrimLeft(line, "#")
		if len(line)-len(rest) <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
			return `\` + line
		}
	case '>':
		return `\` + line
	case '=', '|', ':':
		if strings.Trim(line, "=|:- \t") == "" {
			return `\` + line
		}
	case '-', '+', '*':
		if len(line) == 1 || line[1] == ' ' || line[1] == '\t' || strings.Trim(line, string(line[0])+" \t|:") == "" {
			return `\` + line
		}
	case '~', '_':
		if strings.HasPrefix(line, "~~~") || strings.Trim(line, "_ ") == "" {
			return `\` + line
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		n := 0
		for n < len(line) && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n <= 9 && n < len(line) && (line[n] == '.' || line[n] == ')') &&
			(n+1 == len(line) || line[n+1] == ' ' || line[n+1] == '\t') {
			return line[:n] + `\` + line[n:]
		}
	}
	return line
}

// noModule prevents a paragraph that begins with import or export from being parsed as code.
func noModule(line string) string {
	for _, m := range [...]struct{ word, spelt string }{{"import", "&#105;mport"}, {"export", "&#101;xport"}} {
		if rest, ok := strings.CutPrefix(line, m.word); ok &&
			(rest == "" || strings.IndexByte(" \t{*\"'\\", rest[0]) >= 0) {
			return m.spelt + rest
		}
	}
	return line
}

// codeSpan returns text between backticks. Line breaks become blanks.
func codeSpan(s string, cell bool) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
	if strings.TrimSpace(s) == "" {
		return ""
	}
	if cell {
		s = strings.ReplaceAll(s, "|", `\|`)
	}
	ticks := strings.Repeat("`", longest(s, '`')+1)
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// address returns a URL as the destination of a link. Characters with a special meaning in Markdown or MDX are
// percent-encoded.
func address(href string) string {
	const bad = " ()<>[]{}\\`$|*\"'^"
	if strings.IndexFunc(href,
		func(r rune) bool { return r < ' ' || r == 0x7f || strings.ContainsRune(bad, r) || r == '&' }) < 0 {
		return href
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(href) {
		c := href[i]
		switch {
		case c < ' ' || c == 0x7f || strings.IndexByte(bad, c) >= 0:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		case c == '&' && entity(href[i+1:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
