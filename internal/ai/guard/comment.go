package guard

import (
	"bytes"
	"strings"
)

// uncomment removes comments:
//
//	html     = "<!--" … ( "-->" | "--!>" | end of text )
//	mdx      = "{" space "/*" … "*/" space "}"
//	markdown = a line that begins with "[//]:" or "[comment]:"
//
// If code is true, fences and inline code are left alone. If it is false, no comment opener remains, whether or not the
// comment is closed. The decision always uses the text written so far, so that it also finds a comment that only forms
// when another one is removed.
func uncomment(text string, code bool) string {
	if !strings.Contains(text, "<!--") && !strings.Contains(text, "/*") && !strings.Contains(text, "[//]:") &&
		!strings.Contains(text, "[comment]:") {
		return text
	}
	u := uncommenter{text: text, code: code, out: make([]byte, 0, len(text)), head: code &&
		strings.HasPrefix(text, "---\n")}
	u.arrow, u.bang, u.star = finder{needle: "-->"}, finder{needle: "--!>"}, finder{needle: "*/"}
	for u.at < len(text) {
		switch b := text[u.at]; {
		case u.fence != "":
			u.verbatim()
		case b == '\n':
			u.at++
			u.newline()
		case b == '`' && code:
			u.ticks()
		default:
			u.out = append(u.out, b)
			u.at++
			u.tail(b)
		}
	}
	u.dropDefinition()
	return string(u.out)
}

type uncommenter struct {
	text              string
	code              bool
	out               []byte
	at                int    // in text
	line              int    // position in out where its last line begins
	head              bool   // in the front matter, where fences have no meaning
	fence             string // marks that close the open fence; "" = no open fence
	arrow, bang, star finder
	open              int         // end of a "*/" that is known not to end a comment
	ticked            int         // end of the line that pairs describes
	pairs             map[int]int // run of backticks → end of the run that closes it
}

// verbatim copies the rest of a line inside a fence, and closes the fence after its last line.
func (u *uncommenter) verbatim() {
	end := len(u.text)
	if n := strings.IndexByte(u.text[u.at:], '\n'); n >= 0 {
		end = u.at + n + 1
	}
	u.out = append(u.out, u.text[u.at:end]...)
	u.at = end
	if end == 0 || u.text[end-1] != '\n' {
		return
	}
	line := strings.TrimSpace(string(u.out[u.line:]))
	if strings.HasPrefix(line, u.fence) && strings.Trim(line, u.fence[:1]) == "" {
		u.fence = ""
	}
	u.line = len(u.out)
}

// newline ends a line of out, which may turn out to be a definition or to open a fence.
func (u *uncommenter) newline() {
	u.dropDefinition()
	line := bytes.TrimSpace(u.out[u.line:])
	switch {
	case u.head:
		u.head = u.line == 0 || string(line) != "---"
	case u.code:
		u.fence = fenceOf(string(line))
	}
	u.out = append(u.out, '\n')
	u.line = len(u.out)
}

// fenceOf returns the run of backticks or tildes that opens a fence, or "".
func fenceOf(line string) string {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return ""
	}
	info := strings.TrimLeft(line, line[:1])
	row := line[:len(line)-len(info)]
	if len(row) < 3 || line[0] == '`' && strings.Contains(info, "`") {
		return ""
	}
	return row
}

// dropDefinition removes the last line of out if it is a definition that only serves as a comment.
func (u *uncommenter) dropDefinition() {
	line := bytes.TrimLeft(u.out[u.line:], " \t")
	if bytes.HasPrefix(line, []byte("[//]:")) ||
		bytes.HasPrefix(bytes.ToLower(line[:min(len(line), 16)]), []byte("[comment]:")) {
		u.out = u.out[:u.line]
	}
}

// tail checks whether out now ends with an opening comment mark, and if so skips the comment.
func (u *uncommenter) tail(b byte) {
	switch {
	case b == '-' && bytes.HasSuffix(u.out, []byte("<!--")):
		from := u.at
		if strings.HasPrefix(u.text[u.at-2:], "--") {
			from = u.at - 2 // <!--> is a complete comment
		}
		end := u.arrow.next(u.text, from, len(u.text))
		end = min(end, u.bang.next(u.text, from, len(u.text)))
		u.skip(len(u.out)-len("<!--"), end)
	case b == '*' && bytes.HasSuffix(u.out, []byte("/*")):
		open := len(bytes.TrimRight(u.out[:len(u.out)-2], " \t\r\n")) - 1
		if open < 0 || u.out[open] != '{' {
			return
		}
		end := u.star.next(u.text, u.at, len(u.text))
		if u.code && end == u.open {
			return
		}
		rest := strings.TrimLeft(u.text[end:], " \t\r\n")
		if strings.HasPrefix(rest, "}") {
			end = len(u.text) - len(rest) + 1
		} else if u.code {
			u.open = end // code that starts with a comment, or an unclosed comment, is not a comment for MDX either
			return
		}
		u.skip(open, end)
	}
}

// skip truncates out to a length and continues at end, keeping the line breaks in between.
func (u *uncommenter) skip(keep, end int) {
	lost := bytes.Count(u.out[keep:], []byte("\n")) + strings.Count(u.text[u.at:end], "\n")
	u.out = u.out[:keep]
	if keep < u.line {
		u.line = 1 + bytes.LastIndexByte(u.out, '\n')
	}
	u.at = end
	for range lost {
		u.newline()
	}
}

// finder searches for a needle and caches the last result, so that repeated searches for a distant one are cheap.
type finder struct {
	needle string
	from   int // start of the range for which the result is valid
	end    int // end of the needle; 0 = not searched yet
}

// next returns the end of the first needle at or after from, or none.
func (f *finder) next(text string, from, none int) int {
	if f.end == 0 || f.from > from || f.end-len(f.needle) < from && f.end != none {
		f.from, f.end = from, none
		if i := strings.Index(text[from:], f.needle); i >= 0 {
			f.end = from + i + len(f.needle)
		}
	}
	return f.end
}
