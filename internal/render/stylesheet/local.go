package stylesheet

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/foundation/csp"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// Local removes imports and fonts from other hosts unless allow permits them. It keeps images from other hosts, because
// pages may show them.
func Local(file string, src []byte, allow csp.Allow) ([]byte, diag.List) {
	src = readable(src)
	f := &filter{scanner: scanner{src: src}, file: file, allow: allow, line: 1}
	f.sheet()
	if len(f.gone) == 0 {
		return src, f.list
	}
	out := make([]byte, 0, len(src))
	from := 0
	for _, g := range f.gone {
		out = append(out, src[from:g[0]]...)
		from = g[1]
		if joins(out, src[from:]) {
			out = append(out, ' ')
		}
	}
	return append(out, src[from:]...), f.list
}

// joins reports whether the text before and after a gap could become one token.
func joins(before, after []byte) bool {
	const apart = " \t\r\n\f;{},"
	return len(before) > 0 && len(after) > 0 &&
		strings.IndexByte(apart, before[len(before)-1]) < 0 && strings.IndexByte(" \t\r\n\f;}", after[0]) < 0
}

type filter struct {
	scanner
	file  string
	allow csp.Allow
	gone  [][2]int // byte ranges to remove, sorted
	list  diag.List

	line, mark int // line of the byte at mark; advanced as findings are added
}

// maxFindings limits the findings of one sheet.
const maxFindings = 50

// forbidden reports whether the policy forbids pages to load a URL as this kind of content.
func (f *filter) forbidden(kind, address string) bool {
	return Foreign(address) && !f.allow.Covers(kind, cleaned(address))
}

// drop removes a part that loads a URL as this kind of content, and adds a finding.
func (f *filter) drop(start, end int, kind, address string) {
	f.gone = append(f.gone, [2]int{start, end})
	if len(f.list) >= maxFindings {
		return
	}
	f.line += bytes.Count(f.src[f.mark:start], []byte("\n"))
	f.mark = start
	column := 1 + utf8.RuneCount(f.src[bytes.LastIndexByte(f.src[:start], '\n')+1:start])
	at := diag.Pos{File: f.file, Line: f.line, Column: column}
	f.list.Warnf(at, "css-foreign",
		"The %s %q is on another host and is removed: \"security.allow.%s\" does not list that host.",
		map[string]string{"style": "style sheet", "font": "font"}[kind], clip.Runes(address, 80), kind)
	f.list.Hint("Put the file into the docs folder and use its path, or allow the host in docs.json.")
}

// sheet looks for the two at-rules that load resources: @import and @font-face.
func (f *filter) sheet() {
	for {
		t, ok := f.next()
		if !ok {
			return
		}
		if t.kind != keyword {
			continue
		}
		switch t.value {
		case "import":
			f.imported(t.start)
		case "font-face":
			f.face()
		}
	}
}

// imported reads an @import to its end: a semicolon, or the end of the enclosing block.
func (f *filter) imported(start int) {
	where, found := "", false
	depth := 0
	for {
		before := f.pos
		t, ok := f.next()
		if !found && t.kind == text || !found && t.kind == address {
			where, found = t.value, true
		}
		c := f.byteOf(t)
		end := before
		switch {
		case t.kind == function || c == '(':
			depth++
			continue
		case c == ')' && depth > 0:
			depth--
			continue
		case !ok || c == '}' || c == '{':
			f.pos = before // the caller continues at this token
		case c == ';':
			end = t.end
		default:
			continue
		}
		if found && (f.forbidden("style", where) || data(where)) {
			f.drop(start, end, "style", where)
		}
		return
	}
}

// byteOf returns the byte of a single-byte token, otherwise 0.
func (f *filter) byteOf(t token) byte {
	if t.kind == other && t.end == t.start+1 {
		return f.src[t.start]
	}
	return 0
}

// face reads the block of an @font-face and removes foreign files from its sources.
func (f *filter) face() {
	for { // up to its block
		t, ok := f.next()
		if c := f.byteOf(t); !ok || c == '{' {
			break
		} else if c == ';' || c == '}' {
			return
		}
	}
	open, start := brackets{'}'}, true // start: a declaration may begin here
	for len(open) > 0 {
		t, ok := f.next()
		if !ok {
			return
		}
		c := f.byteOf(t)
		if t.kind == blank {
			continue
		}
		if start && t.kind == name && t.value == "src" {
			f.sources(t.start)
			continue
		}
		open.take(t, c)
		start = (c == ';' || c == '{' || c == '}') && open.inBraces()
	}
}

// sources reads "src: a, b, …" up to its semicolon or the end of the block. It removes each foreign entry together with
// the comma before or after it. If no entry is left, it removes the whole declaration.
func (f *filter) sources(start int) {
	var list []entry
	var open brackets
	colon := false
	var e entry
	var end int
	for {
		before := f.pos
		t, ok := f.next()
		c := f.byteOf(t)
		done := !ok || len(open) == 0 && (c == ';' || c == '}')
		if done || len(open) == 0 && c == ',' {
			e.end = before
			if c == ',' {
				e.end = t.end
			}
			list = append(list, e)
			e = entry{start: t.end}
		}
		if done {
			end = before
			if ok && c == '}' {
				f.pos = before
			} else if ok {
				end = t.end
			}
			break
		}
		open.take(t, c)
		switch {
		case !colon:
			if c == ':' {
				colon = true
				e.start = t.end
			}
		case (t.kind == text || t.kind == address) && f.forbidden("font", t.value):
			e.foreign = t.value
		}
	}
	f.leave(start, end, list)
}

// entry is one of several sources, with the comma after it.
type entry struct {
	start, end int
	foreign    string // the entry's URL, if it is on another host that is not allowed
}

// leave removes each foreign entry with the comma after it. It removes the foreign entries at the end of the list with
// the comma before them.
func (f *filter) leave(start, end int, list []entry) {
	last := len(list) - 1 // index of the last entry that is kept
	for last >= 0 && list[last].foreign != "" {
		last--
	}
	if last < 0 {
		f.drop(start, end, "font", list[0].foreign)
		return
	}
	for _, e := range list[:last] {
		if e.foreign != "" {
			f.drop(e.start, e.end, "font", e.foreign)
		}
	}
	if last < len(list)-1 {
		f.drop(list[last].end-1, list[len(list)-1].end, "font", list[last+1].foreign) // starting at the comma
	}
}

func data(address string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(address)), "data:")
}

// Foreign reports whether browsers interpret a URL as being on another host: it has a scheme, or begins with two
// slashes of either kind. Data URLs are not foreign.
func Foreign(address string) bool {
	clean := cleaned(address)
	if strings.HasPrefix(clean, "//") {
		return true
	}
	scheme, _, ok := strings.Cut(clean, ":")
	return ok && !strings.ContainsAny(scheme, "/?#") && !strings.EqualFold(scheme, "data")
}

// cleaned returns a URL in the form in which browsers interpret it.
func cleaned(address string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return -1 // browsers ignore these characters anywhere in a URL
		case r == '\\':
			return '/'
		}
		return r
	}, strings.TrimFunc(address, func(r rune) bool { return r <= ' ' }))
}
