package esm

import (
	"strings"
	"testing"
)

func TestScannerDetectsCompleteStatements(t *testing.T) {
	for source, want := range map[string]bool{
		"":                                   true,
		"import A from './a.mdx'\n":          true,
		"import A from './a.mdx';\n":         true,
		"import {a,\n":                       false,
		"import {a} from\n":                  false,
		"import {a}\nfrom 'x'\n":             true,
		"import 'x' // and more {\n":         true,
		"import 'x' /* and more\n":           false,
		"export const a = 1\n":               true,
		"export const a =\n":                 false,
		"export const a = {\n  b: 1,\n":      false,
		"export const a = {\n  b: 1,\n\n}\n": true,
		"export const a = `\n":               false,
		"export const a = `\n\n`\n":          true,
		"export const a = () => {\n":         false,
		"export const a = () => {\n  return <b>it's</b>\n}\n":                     true,
		"export const a = () =>\n":                                                false,
		"export const a = () => <div>\n":                                          false,
		"export const a = () => <div>\n\n{'x'}</div>\n":                           true,
		"export const a = 1 +\n":                                                  false,
		"export const a = b++\n":                                                  true,
		"export default function F({a}) {\n  if (a) /}/.test(a)\n}\n":             true,
		"export default class {\n  a() {}\n}\n":                                   true,
		"export default\n":                                                        false,
		"export {a, b as c} from './x.js'\nexport * from 'y'\n":                   true,
		"export const a = 'x\n":                                                   false,
		"export const f = ({a}) => {\n  const [x, y] = useState<string>('')\n":    false,
		"export const f = ({a}) => {\n  const [x, y] = useState<string>('')\n}\n": true,
	} {
		var s Scanner
		for line := range strings.Lines(source) {
			s.Feed([]byte(line))
		}
		if got := s.Complete(); got != want {
			t.Errorf("%q: complete %v, want %v (%v)", source, got, want, s.Err())
		}
	}
}

func FuzzScanner(f *testing.F) {
	f.Add("export const a = <b>{`${x}`}</b>\n\n}")
	f.Add("import a, {b} from 'c'\n/*")
	f.Fuzz(func(t *testing.T, source string) {
		var s Scanner
		for line := range strings.Lines(source) {
			s.Feed([]byte(line))
			if open := s.code.Open(); s.Complete() && open != "statement" {
				t.Fatalf("complete, but %s is open", open)
			}
		}
	})
}
