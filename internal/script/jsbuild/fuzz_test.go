package jsbuild

import "testing"

// FuzzUnit checks that every input results in a unit, or in a finding inside the author's file.
func FuzzUnit(f *testing.F) {
	for _, s := range [][2]string{
		{"", "1"}, {"export const a = 1", "a"}, {"import x from './y'", "<x.Y {...x}>{1}</x.Y>"},
		{"export default () => {}", "(("}, {"}", "// comment"},
		{"import 'react'", "`${1}`), (2"}, {"export * from '/a.jsx'", "await 1"}, {"\u2028", "\u2028x"},
		{"import a from '/a.jsx'\nimport a from '/a.jsx'", "a\n\n+"},
	} {
		f.Add(s[0], s[1])
	}
	builder := New(docs("a.jsx", "export const A = () => <p/>"), nil)
	f.Fuzz(func(t *testing.T, esm, thunk string) {
		if len(esm)+len(thunk) > 2000 {
			return
		}
		u, _, list := builder.Unit(source(esm, thunk))
		if u.Code == nil && !list.HasErrors() {
			t.Error("no code and no finding")
		}
		for _, d := range list {
			if d.File != "guide/page.mdx" && d.File != "a.jsx" || d.Line < 1 || d.Message == "" || d.Hint == "" {
				t.Errorf("finding %+v", d)
			}
		}
	})
}
