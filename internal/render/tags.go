package render

import (
	"bytes"
	"regexp"
	"slices"
)

// textLine copies one line outside code fences without its tags and comments, and returns where the next one starts. A construct
// that goes on over line ends takes those lines with it.
func (p *preparer) textLine(at, end int) int {
	if n := indent(p.src[at:end]); n > maxIndent {
		at += n - maxIndent
	}
	from := p.out.Len()
	bare := true // nothing but tags and white space so far
	var opened []string
	for at < end {
		skip, next := 0, 0
		switch c := p.src[at]; c {
		case '\\':
			next = min(2, end-at)
		case '`':
			next = p.codeSpan(at)
		case '<', '{':
			skip, opened = p.markup(at, opened)
		case ']':
			if p.runaway(at) {
				p.out.WriteString("]\\")
				bare = false
				at++
				continue
			}
		}
		switch {
		case skip > 0:
			p.newlines(p.src[at : at+skip])
			at += skip
			if at > end || at == end && p.src[at-1] != '\n' {
				end = lineEnd(p.src, at)
			}
		default:
			next = max(next, 1)
			bare = bare && (p.src[at] == ' ' || p.src[at] == '\t' || p.src[at] == '\n')
			p.copy(p.src[at : at+next])
			at += next
			if at > end {
				end = lineEnd(p.src, at-1)
			}
		}
	}
	if bare {
		p.open = append(p.open, opened...)
		p.out.Truncate(from + len(bytes.TrimRight(p.out.Bytes()[from:], " \t")))
	}
	p.blank = bare
	return at
}

// copy writes text and keeps count of its lines, except for the line end that closes the current line.
func (p *preparer) copy(text []byte) {
	p.out.Write(text)
	for range bytes.Count(text[:len(text)-1], []byte{'\n'}) {
		p.depths = append(p.depths, len(p.open))
	}
}

// newlines writes the line ends of a part that is taken out, so that lines keep their numbers.
func (p *preparer) newlines(removed []byte) {
	for range bytes.Count(removed, []byte{'\n'}) {
		p.out.WriteByte('\n')
		p.depths = append(p.depths, len(p.open))
	}
}

// codeSpan returns the length of the code span at at, or of the run of ` alone when no equal run closes it in the paragraph.
func (p *preparer) codeSpan(at int) int {
	run := len(p.src[at:]) - len(bytes.TrimLeft(p.src[at:], "`"))
	if p.budget <= 0 {
		return run
	}
	para := p.src[at+run:]
	if i := bytes.Index(para, []byte("\n\n")); i >= 0 {
		para = para[:i]
	}
	for i := 0; i < len(para); {
		j := bytes.IndexByte(para[i:], '`')
		if j < 0 {
			break
		}
		n := len(para[i+j:]) - len(bytes.TrimLeft(para[i+j:], "`"))
		if n == run {
			return run + i + j + n
		}
		i += j + n
	}
	p.budget -= len(para)
	return run
}

// runaway tells whether a link's address at "](" nests its parentheses too deep to be one. The Markdown library reads to the end
// of such an address from each place where it could start, so it is made plain text here.
func (p *preparer) runaway(at int) bool {
	if at+1 >= len(p.src) || p.src[at+1] != '(' {
		return false
	}
	depth := 0
	for i, c := range p.src[at+1:] {
		switch c {
		case '(':
			if depth++; depth > 32 {
				return true
			}
		case ')':
			if depth--; depth == 0 {
				return false
			}
		case '\n', ' ', '\t':
			if i > 1 {
				return false
			}
		}
		if i > 8<<10 {
			return true
		}
	}
	return true
}

var autolink = regexp.MustCompile(`^<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@/]+@[^\s<>@]+)>`)

// markup returns how many bytes to take out at a "<" or "{": 0 when it is text. Block tags that it opens are added to opened;
// one that it closes is taken off there or off the lines before.
func (p *preparer) markup(at int, opened []string) (int, []string) {
	rest := p.src[at:]
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		return p.until(rest, "-->"), opened
	case bytes.HasPrefix(rest, []byte("{/*")):
		return p.until(rest, "*/}"), opened
	case rest[0] == '{' || autolink.Match(rest[:min(len(rest), 2048)]):
		return 0, opened
	}
	t, ok := p.scanTag(rest)
	if !ok {
		return 0, opened
	}
	p.tags = true
	if t.name == "br" {
		p.out.WriteByte(' ')
	}
	if t.closing {
		if n := len(opened); n > 0 && opened[n-1] == t.name {
			return t.size, opened[:n-1]
		}
		if i := lastIndex(p.open, t.name); i >= 0 {
			p.open = p.open[:i]
		}
	} else if !t.empty && len(p.open)+len(opened) < 100 {
		opened = append(opened, t.name)
	}
	return t.size, opened
}

func lastIndex(names []string, name string) int {
	for i := len(names) - 1; i >= 0; i-- {
		if names[i] == name {
			return i
		}
	}
	return -1
}

func (p *preparer) until(rest []byte, end string) int {
	if p.budget <= 0 {
		return 0
	}
	if i := bytes.Index(rest, []byte(end)); i >= 0 {
		return i + len(end)
	}
	p.budget -= len(rest)
	return 0
}

// tag is one tag of the dialect, as far as it matters here.
type tag struct {
	name           string
	closing, empty bool
	size           int
}

// scanTag reads a tag at the start of src: "<" "/"? name? attributes "/"? ">". Attributes are skipped: quoted texts and balanced
// braces may hold anything. A "<" outside both means that this was no tag.
func (p *preparer) scanTag(src []byte) (t tag, ok bool) {
	if p.budget <= 0 {
		return t, false
	}
	i := 1
	if i < len(src) && src[i] == '/' {
		t.closing = true
		i++
	}
	from := i
	for i < len(src) && (isLetter(src[i]) || i > from && (src[i] >= '0' && src[i] <= '9' || src[i] == '.' || src[i] == '-' || src[i] == '_')) {
		i++
	}
	t.name = string(src[from:min(i, from+64)])
	if i >= len(src) || !slices.Contains([]byte(" \t\n/>"), src[i]) || t.name == "" && src[i] != '>' {
		return t, false
	}
	depth, quote := 0, byte(0)
	for ; i < len(src); i++ {
		c := src[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && depth == 0 || c == '`' && depth > 0:
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case depth > 0:
		case c == '<':
			p.budget -= i
			return t, false
		case c == '>':
			t.empty = src[i-1] == '/' || isVoid(t.name)
			t.size = i + 1
			return t, true
		}
	}
	p.budget -= i
	return t, false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isVoid tells the HTML elements that have no end tag.
func isVoid(name string) bool {
	switch name {
	case "br", "hr", "img", "input", "meta", "link", "source", "track", "wbr", "area", "base", "col", "embed":
		return true
	}
	return false
}
