package mdx

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// inline parses the text of one leaf. It first produces a flat list of tokens with unmatched delimiters and tags.
// Links are built as soon as they close; emphasis and tags are matched at the end.
type inline struct {
	p     *parser
	t     text
	plain bool   // tags, expressions, formulas, footnotes and bare addresses are not recognized
	cell  bool   // in a table cell: \| is a pipe, even in code
	where string // the block, for messages

	at       int
	from     int // start of text that is not in a token yet
	tokens   []token
	delims   []delim
	brackets []bracket
	ticks    map[int]int // last position of a run of backticks, by its length; nil until a run has no partner
	dollars  map[int]int
	auto     candidate
	hosts    hosts
	dead     int // the first dead brackets precede a link, so they cannot open one: links do not nest
	marks    int // number of emphasis marks so far
}

type tokenKind uint8

const (
	tokText  tokenKind = iota // s[from:to], or value if it is not ""
	tokNode                   // node
	tokDelim                  // s[from:to] and the emphasis that it opens and closes
	tokTag
	tokNothing // a comment
)

type token struct {
	kind     tokenKind
	left     int32 // delimiters that are plain text
	from, to int
	value    string
	node     ast.Node // a *tagToken for tokTag
	marks    *marks   // of tokDelim; nil if it neither opens nor closes anything
}

// marks lists the emphasis that ends and begins at a delimiter run, innermost first.
type marks struct{ closes, opens []mark }

// special contains the bytes with which something other than text may begin.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\`*_~[]!<{$&\n") {
		t[c] = true
	}
	return t
}()

// parse parses the whole text.
func (in *inline) parse() []ast.Node {
	s := in.t.s
	if s == "" {
		return nil
	}
	if !in.plain {
		in.auto.find(s, 0)
	}
	for in.at < len(s) {
		if in.skipText(); in.at >= len(s) {
			break
		}
		in.special(s[in.at])
	}
	in.flush(len(s))
	in.emphasis(0)
	nodes := in.build(in.tokens)
	if in.auto.left && !in.plain {
		nodes = in.linkLeft(nodes)
	}
	if in.p.opts.Smart {
		in.p.smart(s, nodes)
	}
	return nodes
}

// skipText advances to the next byte at which something other than text may begin.
func (in *inline) skipText() {
	s, stop := in.t.s, len(in.t.s)
	if in.auto.ok {
		if in.auto.start < in.at {
			in.auto.find(s, in.at)
		}
		if in.auto.ok {
			stop = in.auto.start
		}
	}
	for in.at < stop && !special[s[in.at]] {
		in.at++
	}
	if in.auto.ok && in.at == in.auto.start {
		in.address()
	}
}

// special reads the construct that begins with c, or takes c as text.
func (in *inline) special(c byte) {
	if in.at >= len(in.t.s) || in.t.s[in.at] != c {
		return
	}
	ok := false
	switch c {
	case '\\':
		ok = in.escape()
	case '&':
		ok = in.entity()
	case '\n':
		ok = in.lineBreak()
	case '`':
		ok = in.code()
	case '*', '_', '~':
		ok = in.delimiter(c)
	case '[', '!':
		ok = in.openBracket(c)
	case ']':
		ok = in.closeBracket()
	case '$':
		ok = !in.plain && in.math()
	case '<':
		ok = !in.plain && in.angle()
	case '{':
		ok = !in.plain && in.brace()
	}
	if !ok {
		in.at++
	}
}

// flush creates a token from the text before offset to.
func (in *inline) flush(to int) {
	if to > in.from {
		in.tokens = append(in.tokens, token{kind: tokText, from: in.from, to: to})
	}
	in.from = to
}

// put adds a token that extends from the current position to end.
func (in *inline) put(t token, end int) {
	in.flush(in.at)
	t.from, t.to = in.at, end
	in.tokens = append(in.tokens, t)
	in.at, in.from = end, end
}

func (in *inline) escape() bool {
	s, i := in.t.s, in.at
	if i+1 >= len(s) {
		return false
	}
	if s[i+1] == '\n' {
		in.put(token{kind: tokNode, node: &ast.Break{Span: in.t.span(i, i+1)}}, i+2)
		in.skipIndent()
		return true
	}
	if !isPunct(s[i+1]) {
		return false
	}
	if s[i+1] == ':' || s[i+1] == '/' {
		in.auto.left = true // https\://… is an address too
	}
	in.put(token{kind: tokText, value: s[i+1 : i+2]}, i+2)
	return true
}

func (in *inline) entity() bool {
	value, n := entity(in.t.s[in.at:])
	if n == 0 {
		return false
	}
	in.put(token{kind: tokText, value: value}, in.at+n)
	return true
}

// lineBreak adds a "\n" to the text, or a hard break after two spaces. It removes the white space around it.
func (in *inline) lineBreak() bool {
	s, end := in.t.s, in.at
	start := end
	for start > in.from && (s[start-1] == ' ' || s[start-1] == '\t') {
		start--
	}
	hard := end-start >= 2 && s[end-1] == ' ' && s[end-2] == ' '
	next := end + 1 + leadingSpace(s[end+1:])
	if start == end && next == end+1 {
		in.at++
		return true
	}
	in.flush(start)
	in.at = start
	if hard {
		in.put(token{kind: tokNode, node: &ast.Break{Span: in.t.span(start, end)}}, next)
	} else {
		in.put(token{kind: tokText, value: "\n"}, next)
	}
	return true
}

func (in *inline) skipIndent() {
	in.at += leadingSpace(in.t.s[in.at:])
	in.from = in.at
}

// partner finds the run of n signs that closes the run ending at offset from. It returns 0 if there is none. After a
// failed search, last contains the position of the last run of each length, so that text with many openers is not
// searched again and again.
func (in *inline) partner(sign byte, from, n int, last *map[int]int) int {
	s := in.t.s
	if *last != nil {
		if (*last)[n] <= from {
			return 0
		}
	}
	for i := from; i < len(s); {
		k := strings.IndexByte(s[i:], sign)
		if k < 0 {
			break
		}
		i += k
		r := run(s[i:], sign)
		if r == n {
			return i
		}
		i += r
	}
	if *last == nil {
		*last = map[int]int{}
		for i := 0; i < len(s); {
			k := strings.IndexByte(s[i:], sign)
			if k < 0 {
				break
			}
			r := run(s[i+k:], sign)
			(*last)[r] = i + k
			i += k + r
		}
	}
	return 0
}

func (in *inline) code() bool {
	s := in.t.s
	n := run(s[in.at:], '`')
	end := in.partner('`', in.at+n, n, &in.ticks)
	if end == 0 {
		in.at += n
		return true
	}
	value := oneLine(s[in.at+n : end])
	if in.cell {
		value = strings.ReplaceAll(value, `\|`, "|")
	}
	in.put(token{kind: tokNode, node: &ast.CodeSpan{Span: in.t.span(in.at, end+n), Value: stripPadding(value)}}, end+n)
	return true
}

// oneLine replaces each line break, together with the indentation after it, with a space.
func oneLine(s string) string {
	if strings.IndexByte(s, '\n') < 0 {
		return s
	}
	lines := strings.Split(s, "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = strings.TrimLeft(lines[i], " \t")
	}
	return strings.Join(lines, " ")
}

// stripPadding removes one space on both sides, unless the text consists only of spaces.
func stripPadding(s string) string {
	if len(s) > 2 && s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != "" {
		return s[1 : len(s)-1]
	}
	return s
}

func (in *inline) math() bool {
	s := in.t.s
	n := run(s[in.at:], '$')
	end := in.partner('$', in.at+n, n, &in.dollars)
	if end == 0 {
		in.at += n
		return true
	}
	value := stripPadding(oneLine(s[in.at+n : end]))
	in.put(token{kind: tokNode, node: &ast.Math{Span: in.t.span(in.at, end+n), Text: value}}, end+n)
	return true
}
