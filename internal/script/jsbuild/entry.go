package jsbuild

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// text is a generated file made of pieces of the author's file. Every piece starts on a new line, so that positions
// can be mapped back to the author's file.
type text struct {
	b     strings.Builder
	lines int    // written so far
	spans []span // ordered by first
}

// span records which lines of the text, from first to last, contain a piece.
type span struct {
	first, last int
	at, end     diag.Pos
	thunk       int // -1 for statements
}

func (t *text) line(s string) {
	t.b.WriteString(s)
	t.b.WriteByte('\n')
	t.lines += 1 + strings.Count(s, "\n")
}

func (t *text) piece(p Piece, thunk int) {
	first := t.lines + 1
	t.line(p.Text)
	end := p.At
	end.Line += t.lines - first
	if end.Line > p.At.Line {
		end.Column = 1
	}
	end.Column += utf8.RuneCountInString(p.Text[strings.LastIndexByte(p.Text, '\n')+1:])
	t.spans = append(t.spans, span{first, t.lines, p.At, end, thunk})
}

// place is the origin of a position in a generated text.
type place struct {
	diag.Pos      // Line is 0 if the origin is unknown
	thunk    int  // -1 for statements
	past     bool // at the end of the piece: the code is incomplete
}

// origin maps a position in the text (line from 1, column in bytes from 0) to the author's file. A position outside
// of all pieces, such as the bracket after an expression, maps to the end of the preceding piece.
func (t *text) origin(line, column int, lineText string) place {
	n := sort.Search(len(t.spans), func(i int) bool { return t.spans[i].first > line })
	if n == 0 {
		return place{thunk: -1}
	}
	s := t.spans[n-1]
	if line > s.last {
		return place{s.end, s.thunk, true}
	}
	chars := utf8.RuneCountInString(lineText[:max(0, min(column, len(lineText)))])
	pos := s.at
	if line == s.first {
		pos.Column += chars
	} else {
		pos.Line += line - s.first
		pos.Column = 1 + chars
	}
	return place{pos, s.thunk, false}
}

// layout matches MDX's default export, which sets the layout around the page. The platform has its own layout.
var layout = lazyregexp.New(`(?m)^export[ \t]+default[ \t]+`)

// statements writes a file's import and export statements.
func (t *text) statements(pieces []Piece) {
	for _, p := range pieces {
		p.Text = layout.ReplaceAllString(p.Text, "let __layout = ")
		t.piece(p, -1)
	}
}

// entry returns the script of a page. It contains the page's statements, the names that the page shares with its files,
// and then its thunks. A broken thunk throws its error when it is called.
func entry(src Source, thunks []int, broken map[int]string, lent []string) *text {
	t := &text{}
	t.statements(src.ESM)
	t.shareNames(lent)
	t.line(";__lectern.define({")
	for _, i := range thunks {
		if why, bad := broken[i]; bad {
			t.line(strconv.Itoa(i) + ":()=>{throw new SyntaxError(" + quote(why) + ")},")
			continue
		}
		t.line(strconv.Itoa(i) + ":(props,slot)=>(")
		t.piece(src.Thunks[i], i)
		t.line("),")
	}
	t.line("});")
	return t
}

// mdxModule returns the module that other files get when they import an MDX file. It exports the values that the file
// exports and, as the default export, the file's content.
func mdxModule(file string, pieces []Piece) *text {
	t := &text{}
	t.statements(pieces)
	t.line(";export default __lectern.mdx(" + quote("/"+file) + ");")
	return t
}

// quote returns a JavaScript string literal. The JSON encoder also escapes the two line separators that old engines
// reject.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil { // unreachable: strings always marshal
		return `""`
	}
	return string(b)
}
