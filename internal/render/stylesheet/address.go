package stylesheet

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Address is a reference in a sheet to something that a browser loads.
type Address struct {
	Value        string // as written, with escapes decoded
	Line, Column int    // from 1
	Import       bool   // refers to another sheet
}

// Addresses finds everything that a sheet, or the value of a style attribute, makes a browser load: imports, url(…),
// and the strings of image-set(…) and similar functions. It ignores the URLs of namespaces and in the conditions of
// @document.
func Addresses(src []byte) []Address {
	l := &lister{scanner: scanner{src: readable(src)}, line: 1, column: 1}
	for {
		t, ok := l.next()
		if !ok {
			return l.found
		}
		l.take(t)
	}
}

type lister struct {
	scanner
	found []Address
	rule  string   // the at-rule whose head is being read
	named bool     // the URL of an import has been read
	open  []string // open functions and brackets

	line, column, mark int // position of the byte at mark
}

func (l *lister) take(t token) {
	switch t.kind {
	case keyword:
		l.rule, l.named, l.open = t.value, false, l.open[:0]
	case function:
		l.open = append(l.open, t.value)
	case text:
		if l.rule == "import" && !l.named || l.loads() {
			l.add(t)
		}
	case address:
		l.add(t)
	case other:
		l.bracket(l.src[t.start])
	}
}

// bracket tracks brackets.
func (l *lister) bracket(c byte) {
	switch c {
	case '(', '[':
		l.open = append(l.open, "")
	case ')', ']':
		if n := len(l.open); n > 0 {
			l.open = l.open[:n-1]
		}
	case ';', '{', '}':
		l.rule, l.open = "", l.open[:0]
	}
}

// loads reports whether a string inside the open functions is a URL that the browser loads.
func (l *lister) loads() bool {
	n := len(l.open)
	return n > 0 && l.open[n-1] != "type" && slices.ContainsFunc(l.open, func(name string) bool {
		return name == "url" || name == "src" || name == "image" || strings.HasSuffix(name, "image-set")
	})
}

func (l *lister) add(t token) {
	if l.rule == "namespace" || strings.HasSuffix(l.rule, "document") {
		return
	}
	between := l.src[l.mark:t.start]
	if end := bytes.LastIndexByte(between, '\n'); end >= 0 {
		l.line += bytes.Count(between, []byte{'\n'})
		l.column, between = 1, between[end+1:]
	}
	l.column += utf8.RuneCount(between)
	l.mark = t.start
	first := l.rule == "import" && !l.named
	l.named = l.named || first
	l.found = append(l.found, Address{Value: t.value, Line: l.line, Column: l.column, Import: first})
}
