package mdx

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// candidate is the next position where a bare address may begin.
type candidate struct {
	ok         bool
	start, end int // end is set only for e-mail addresses
	www        bool
	left       bool // text was skipped that may turn out to be an address after the whole text is read
}

// find looks for a candidate at or after offset from. It only does cheap checks; addressEnd does the others when the
// parser reaches the candidate.
func (c *candidate) find(s string, from int) {
	*c = candidate{left: c.left}
	for i := from; i < len(s); i++ {
		k := strings.IndexAny(s[i:], ":@wW")
		if k < 0 {
			return
		}
		i += k
		switch s[i] {
		case ':':
			if start := protocolAt(s, from, i); start >= 0 {
				c.ok, c.start = true, start
				return
			}
		case '@':
			if start, end := emailAt(s, from, i); end > 0 {
				c.ok, c.start, c.end = true, start, end
				return
			}
		default:
			if len(s)-i <= 4 || !strings.EqualFold(s[i:i+4], "www.") {
				break
			}
			if i == 0 || strings.IndexByte("(*_[]~ \t\n", s[i-1]) >= 0 {
				c.ok, c.start, c.www = true, i, true
				return
			}
			c.left = true
		}
	}
}

// protocolAt returns the start of the http:// or https:// whose colon is at s[i], or -1.
func protocolAt(s string, from, i int) int {
	if !strings.HasPrefix(s[i:], "://") {
		return -1
	}
	for _, n := range []int{5, 4} {
		start := i - n
		if start >= from && strings.EqualFold(s[start:i], "https"[:n]) && (start == 0 || !isAlpha(s[start-1])) {
			return start
		}
	}
	return -1
}

func isAtext(c byte) bool { return isAlnum(c) || c == '+' || c == '-' || c == '.' || c == '_' }

// emailAt finds the e-mail address around the @ at s[i]. end is 0 if there is none.
func emailAt(s string, from, i int) (start, end int) {
	start = i
	for start > from && isAtext(s[start-1]) {
		start--
	}
	if start == i || start > 0 && (s[start-1] == '/' || start == from && isAtext(s[start-1])) {
		return 0, 0
	}
	end = i + 1
	dot := false
	for end < len(s) {
		switch c := s[end]; {
		case c == '.' && end+1 < len(s) && isAlnum(s[end+1]):
			dot = true
		case c == '-' || c == '_' || isAlnum(c):
		default:
			goto done
		}
		end++
	}
done:
	if !dot || !isAlpha(s[end-1]) {
		return 0, 0
	}
	return start, end
}

// address turns the candidate at the current position into a link. Candidates inside brackets are left to linkLeft,
// because the brackets may become a link themselves.
func (in *inline) address() {
	c := in.auto
	s := in.t.s
	if len(in.brackets) > 0 {
		in.auto.left = true
		in.skipCandidate()
		return
	}
	end, url := addressEnd(s, c, &in.hosts)
	if end == 0 {
		in.auto.left = true
		in.skipCandidate()
		return
	}
	in.put(token{kind: tokNode, node: in.autolink(c.start, end, url)}, end)
	in.auto.find(s, in.at)
}

func (in *inline) autolink(from, to int, url string) *ast.Link {
	span := in.t.span(from, to)
	return &ast.Link{Span: span, URL: url, Auto: true,
		Children: ast.Children{&ast.Text{Span: span, Value: in.t.s[from:to]}}}
}

// skipCandidate looks for the next candidate. The byte at the current position may still be special.
func (in *inline) skipCandidate() {
	from := in.auto.start
	in.auto.find(in.t.s, from+1)
	if !special[in.t.s[from]] {
		in.at++
	}
}

// addressEnd checks a candidate and returns its end, or 0 if it is not an address.
func addressEnd(s string, c candidate, h *hosts) (end int, url string) {
	if c.end > 0 {
		return c.end, "mailto:" + s[c.start:c.end]
	}
	host := c.start
	if !c.www {
		host += strings.Index(s[c.start:], "//") + 2
		if host >= len(s) || classAfter(s[host:]) != other || s[host] < ' ' {
			return 0, ""
		}
	}
	hostEnd := h.domainEnd(s, host)
	if hostEnd == 0 {
		return 0, ""
	}
	end = trimAddress(s, host, pathEnd(s, hostEnd))
	if end <= host {
		return 0, ""
	}
	url = s[c.start:end]
	if c.www {
		url = "http://" + url
	}
	return end, url
}

// hosts caches the last run of host name characters, because one run may contain many candidates.
type hosts struct {
	end  int  // end of the run
	tail int  // start of its last two parts
	bad  bool // one of the last two parts has an underscore
}

// domainEnd returns the end of the host name at s[i:], or 0 if one of its last two parts has an underscore.
func (h *hosts) domainEnd(s string, i int) int {
	if i >= h.end {
		h.run(s, i)
	}
	bad := h.bad
	if i > h.tail {
		bad = strings.IndexByte(strings.TrimRight(s[i:h.end], "._"), '_') >= 0
	}
	if bad || i >= h.end || strings.Trim(s[i:min(h.end, i+8)], "._") == "" && strings.Trim(s[i:h.end], "._") == "" {
		return 0
	}
	return h.end
}

func (h *hosts) run(s string, i int) {
	from := i
	for i < len(s) {
		if s[i] == '.' || s[i] == '_' || s[i] == '-' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) || unicode.IsPunct(r) || r < utf8.RuneSelf && isPunct(byte(r)) || r < ' ' {
			break
		}
		i += n
	}
	name := s[from:i]
	if rest := strings.TrimLeft(s[i:], "!\"'),*.:;?_~]"); rest == "" || rest[0] <= ' ' || rest[0] == '<' {
		name = strings.TrimRight(name, "._") // trailing punctuation belongs to the sentence
	}
	tail := strings.LastIndexByte(name, '.')
	if tail > 0 {
		tail = strings.LastIndexByte(name[:tail], '.')
	}
	*h = hosts{end: i, tail: from + tail + 1, bad: strings.IndexByte(name[tail+1:], '_') >= 0}
}

func pathEnd(s string, i int) int {
	for i < len(s) {
		if s[i] < utf8.RuneSelf {
			if s[i] <= ' ' || s[i] == '<' || s[i] == ']' && i+1 < len(s) && (s[i+1] == '(' || s[i+1] == '[') {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsSpace(r) {
			return i
		}
		i += n
	}
	return i
}

// trimAddress removes punctuation from the end of an address, because it belongs to the sentence.
func trimAddress(s string, from, end int) int {
	opens, shuts := strings.Count(s[from:end], "("), strings.Count(s[from:end], ")")
	for end > from {
		switch c := s[end-1]; {
		case strings.IndexByte("!\"'*,.:?_~]", c) >= 0:
			end--
		case c == ')' && shuts > opens:
			end--
			shuts--
		case c == ';':
			i := end - 2
			for i > from && isAlnum(s[i]) {
				i--
			}
			if i < end-2 && s[i] == '&' {
				end = i
			} else {
				end--
			}
		default:
			return end
		}
	}
	return end
}
