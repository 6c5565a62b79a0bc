package jsx

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func show(t Tag) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d-%d", t.Name, t.Start, t.End)
	if t.Close {
		b.WriteString(" close")
	}
	if t.SelfClose {
		b.WriteString(" self")
	}
	for _, a := range t.Attrs {
		fmt.Fprintf(&b, " [%s %s %q %d-%d]", a.Name, [...]string{"true", "string", "expr", "spread"}[a.Kind], a.Value,
			a.Start, a.End)
	}
	return b.String()
}

func TestScanReadsTags(t *testing.T) {
	for in, want := range map[string]string{
		"<a>":                   "a 0-3",
		"</a >":                 "a 0-5 close",
		"<>":                    " 0-2",
		"</>":                   " 0-3 close",
		"<a.b />":               "a.b 0-7 self",
		"<a:b c:d='e'>":         `a:b 0-13 [c:d string "e" 5-12]`,
		"<a b={ {c: '}'} }/>x":  `a 0-19 self [b expr " {c: '}'} " 3-17]`,
		"<a {...b} c>":          `a 0-12 [ spread "b" 3-9] [c true "" 10-11]`,
		"<a\n  b=\"c\n  d\"\n>": `a 0-16 [b string "c\nd" 5-14]`,
		"<a{...b}/>":            `a 0-10 self [ spread "b" 2-8]`,
		"<a b=\"{<'\">":         `a 0-11 [b string "{<'" 3-10]`,
	} {
		tag, err := Scan(Fixed(in), 0)
		if err != nil {
			t.Errorf("Scan(%q): %v", in, err)
		} else if got := show(tag); got != want {
			t.Errorf("Scan(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestScanErrorsHaveAPosition(t *testing.T) {
	for in, at := range map[string]int{
		"<5": 1, "<a@b>": 2, "<a b=c>": 5, "<a b": 4, "<a b=\"c": 5, "<a {b}>": 3, "</a b>": 4, "</a/>": 3,
		"<a b={>": 7, "<a/b>": 3, "<a.>": 3, "<": 1, "<a b:>": 5, "<a… b>": 2,
	} {
		_, err := Scan(Fixed(in), 0)
		if err == nil || err.At != at || err.Message == "" {
			t.Errorf("Scan(%q) = %+v, want an error at %d", in, err, at)
		}
	}
}

// lines is an Input that grows line by line.
type lines struct {
	text string
	rest []string
}

func (l *lines) Text() string { return l.text }

func (l *lines) More() bool {
	if len(l.rest) == 0 {
		return false
	}
	l.text, l.rest = l.text+"\n"+l.rest[0], l.rest[1:]
	return true
}

func TestScanReadsMoreLinesOnlyInOpenTags(t *testing.T) {
	in := &lines{"<a", []string{"b={`", "`}", "c='", "d'", "/>", "text"}}
	tag, err := Scan(in, 0)
	if err != nil || !tag.SelfClose || len(tag.Attrs) != 2 || tag.Attrs[0].Kind != ast.AttrExpr || len(in.rest) != 1 {
		t.Errorf("tag %+v, error %v, rest %q", tag, err, in.rest)
	}
}

func TestExpressionIsDedentedByTwoColumns(t *testing.T) {
	for in, want := range map[string]string{"{a}": "a", "{\n    a\n b}": "\n  a\nb", "{\n\ta}": "\n  a",
		"{'}' + `}`}": "'}' + `}`", "{/* } */}": "/* } */"} {
		value, end, err := Expression(Fixed(in+" tail}"), 0)
		if err != nil || value != want || end != len(in) {
			t.Errorf("Expression(%q) = %q %d %v", in, value, end, err)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, s := range []string{"<a b={c} d='e' {...f} g:h/>", "</a.b>", "<a /* b */ c>", "<é {"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tag, err := Scan(Fixed("<"+s), 0)
		if err != nil {
			if err.At < 0 || err.At > len(s)+1 {
				t.Errorf("error at %d of %q", err.At, s)
			}
			return
		}
		if tag.End > len(s)+1 || s[tag.End-2] != '>' {
			t.Errorf("tag ends at %d of %q", tag.End, s)
		}
	})
}
