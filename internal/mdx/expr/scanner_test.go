package expr

import (
	"errors"
	"strings"
	"testing"
)

func TestScannerFindsTheClosingBrace(t *testing.T) {
	for _, source := range []string{
		`}`,
		` a }`,
		`{a: {b: 1}}}`,
		`"}" + '}'}`,
		`'\'}' + "\\"}`,
		"'a\\\nb'}",
		"'a\\\r\nb'}",
		"`}${`}${{a: '}'}.a}`}`}",
		"`\\`}${1}\\${`}",
		"`$${a}$`}",
		"/* } */}",
		"// }\n}",
		"// }\r}",
		"a // }\n}",
		`/}/.test(a)}`,
		`/[/}]/g.exec(a)}`,
		`/\/}/}`,
		`a / b / "}".length}`,
		`(a) / 1 / '}'.length}`,
		`a[0] / '}'.length / 2}`,
		`a++ / '}'.length / 2}`,
		`typeof /}/}`,
		`a.return / '}'.length / 2}`,
		`5. / '}'.length / 2}`,
		`[...a].map(x => /}/.test(x))}`,
		`() => { if (a) /}/.test(b) }}`,
		`() => { return /}/ }}`,
		`() => { {} /}/ }}`,
		`({}) / '}'.length / 1}`,
		`a < b || c > "}".length}`,
		`a <b && c}`,
		`(a)<b}`,
		`1<2}`,
		`8 << 2 >> 1}`,
		`a <<= 2}`,
		`<div title="}">text with } and 'apostrophes</div>}`,
		`<div title='"}'>{"</div>}"}</div>}`,
		`<></>}`,
		`<><br/>}</>}`,
		`<br / >}`,
		`a && <b>don't</b>}`,
		`a ? <b>"</b> : <i>'</i>}`,
		"x => <b>`</b>}",
		`list.map(x => <li key={x.a} {...x}>{x.b} it's</li>)}`,
		`<A b=<i>'</i> c="'"/>}`,
		`<A.B c-d:e="1"><A.B/></A.B>}`,
		`<a /* > } */ b="1" // >
		>}</a>}`,
		`() => { return <b>'</b> }}`,
		`<b>{/* ' */}</b>}`,
		"<b>{// '\n}</b>}",
		`<b>// it's no comment</b>}`,
		`<Tabs>{[1,2].map(i => <Tab title={` + "`T${i}`" + `}>{i < 2 ? <b>'</b> : null}</Tab>)}</Tabs>}`,
		"a\u00a0<b}",
		"\u00a0<b>'</b>}",
		"\u2028<b>'</b>}",
	} {
		for _, size := range []int{1, 2, 3, 1000} {
			if size < 5 && strings.ContainsAny(source, "\u00a0\u2028") {
				continue // chunks never end inside a character
			}
			n, done, err := feedAll(source+" } rest", size)
			if err != nil || !done || n != len(source) {
				t.Errorf("%q by %d: n=%d done=%v err=%v, want %d", source, size, n, done, err, len(source))
			}
		}
	}
}

func feedAll(source string, size int) (total int, done bool, err error) {
	s := NewScanner()
	for rest := []byte(source); len(rest) > 0; {
		chunk := rest[:min(size, len(rest))]
		n, done := s.Feed(chunk)
		total += n
		if done || s.Err() != nil {
			return total, done, s.Err()
		}
		rest = rest[len(chunk):]
	}
	return total, false, nil
}

func TestScannerReportsInvalidJavaScript(t *testing.T) {
	for source, offset := range map[string]int{
		"'a\nb'}":     2,
		"\"a\r\n\"}":  2,
		"(a]}":        2,
		"[a)}":        2,
		"(a}":         2,
		"a)}":         1,
		"/a\n/}":      2,
		"</b>}":       1,
		"<b !>}":      3,
		"<b></b c=1>": 8,
		"<b a=1>":     5,
		"<a <b":       3,
		"<a /b":       4,
	} {
		n, done, err := feedAll(source, 100)
		var syntax *SyntaxError
		if done || !errors.As(err, &syntax) || syntax.Offset != offset || n != offset {
			t.Errorf("%q: n=%d done=%v err=%v (%+v), want an error at %d", source, n, done, err, syntax, offset)
		}
	}
}

func TestScannerNamesTheOpenConstruct(t *testing.T) {
	for source, want := range map[string]string{
		"": "{", "'a": "string", "`a": "template string", "`${a": "${", "/*": "comment", "[(": "(", "[": "[",
		"<b":   "tag",
		"<b>x": "element", "<b></b": "closing tag", "{a": "{", "/[/": "regular expression", "<b a='": "string",
	} {
		s := NewScanner()
		s.Feed([]byte(source))
		if got := s.Open(); got != want {
			t.Errorf("%q: open %q, want %q", source, got, want)
		}
	}
}

func TestResetRestoresTheInitialState(t *testing.T) {
	s := NewScanner()
	s.Feed([]byte("([`'"))
	s.Reset()
	if n, done := s.Feed([]byte("/}/}")); n != 4 || !done {
		t.Errorf("after Reset: %d %v", n, done)
	}
	if n, done := s.Feed([]byte("}")); n != 0 || !done {
		t.Errorf("after the end: %d %v", n, done)
	}
}

func FuzzScannerDoesNotDependOnChunks(f *testing.F) {
	for _, s := range []string{"}", "`${<a b='}'>{/}/}</a>}`}", "a++ / b}", "'\\\r\n'}", "...a}", "=>{}}",
		"<b a=<i/>/>}", "//\n/**/}", "\xc2\xa0}"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, source string, cut int) {
		if cut < 0 || cut > len(source) {
			return
		}
		if cut > 0 && cut < len(source) && (source[cut-1] >= 0x80 || source[cut] >= 0x80) {
			return // chunks are lines, so they never end inside a character
		}
		whole, parts := NewScanner(), NewScanner()
		n, done := whole.Feed([]byte(source))
		m, early := parts.Feed([]byte(source[:cut]))
		if !early && parts.Err() == nil {
			k, end := parts.Feed([]byte(source[cut:]))
			m, early = m+k, end
		}
		if n != m || done != early || (whole.Err() == nil) != (parts.Err() == nil) {
			t.Fatalf("whole %d %v %v, in parts %d %v %v", n, done, whole.Err(), m, early, parts.Err())
		}
		if done && source[n-1] != '}' {
			t.Fatalf("ended at %q", source[:n])
		}
	})
}
