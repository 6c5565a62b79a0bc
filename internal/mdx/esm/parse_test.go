package esm

import (
	"fmt"
	"strings"
	"testing"
)

func describe(list []Statement) string {
	var b strings.Builder
	for _, s := range list {
		switch s := s.(type) {
		case *Import:
			fmt.Fprintf(&b, "%d import default=%s star=%s named=%v from=%s\n", s.Offset, s.Default, s.Namespace,
				s.Named, s.From)
		case *Export:
			fmt.Fprintf(&b, "%d export %s (%s) %s init=%q from=%s\n", s.Offset, s.Name, s.Local, s.Kind, s.Init, s.From)
		}
	}
	return b.String()
}

func TestParseListsImportsAndExports(t *testing.T) {
	for source, want := range map[string]string{
		`import A from '/snippets/a.mdx'`: "0 import default=A star= named=[] from=/snippets/a.mdx\n",
		"import A, {b, c as d, default as e} from \"x\";\nimport * as F from 'y'": "" +
			"0 import default=A star= named=[{b b} {c d} {default e}] from=x\n46 import default= star=F named=[] from=y\n",
		`import "x"; import G, * as H from "y" // end`:                  "0 import default= star= named=[] from=x\n12 import default=G star=H named=[] from=y\n",
		"import {\n  a, // first\n  b,\n} from 'x' with {type: 'json'}": "0 import default= star= named=[{a a} {b b}] from=x\n",
		"/* import no */ // export no\nimport 'x'":                      "29 import default= star= named=[] from=x\n",
		`export const a = 1, b = [2, 3], c = {d: ';'};`: "" +
			"0 export a (a) const init=\"1\" from=\n0 export b (b) const init=\"[2, 3]\" from=\n0 export c (c) const init=\"{d: ';'}\" from=\n",
		`export const {a, b: {c = [1, 2]}, ...d} = x, [e, , f = 3] = y`: "" +
			"0 export a (a) const init=\"\" from=\n0 export c (c) const init=\"\" from=\n0 export d (d) const init=\"\" from=\n" +
			"0 export e (e) const init=\"\" from=\n0 export f (f) const init=\"\" from=\n",
		"export let a\nexport var b = x => <i>it's; {x}</i>": "0 export a (a) let init=\"\" from=\n13 export b (b) var init=\"x => <i>it's; {x}</i>\" from=\n",
		"export function F({a}) {\n\n  return <b>export x</b>\n}\nexport async function* g() {}\nexport class H {}": "" +
			"0 export F (F) function init=\"\" from=\n53 export g (g) function init=\"\" from=\n83 export H (H) class init=\"\" from=\n",
		"export default function Foo() {}\n": "0 export default (Foo) default init=\"function Foo() {}\" from=\n",
		"export default ({children}) => <div>{children}</div>;": "" +
			"0 export default () default init=\"({children}) => <div>{children}</div>\" from=\n",
		"export {a, b as c}; export {d} from './d'; export * from 'e'; export * as f from 'g'": "" +
			"0 export a (a) list init=\"\" from=\n0 export c (b) list init=\"\" from=\n20 export d (d) reexport init=\"\" from=./d\n" +
			"43 export * (*) reexport init=\"\" from=e\n62 export f (*) reexport init=\"\" from=g\n",
		"export const a = import.meta.x\nexport const b = `import 'x'\nexport const c`": "" +
			"0 export a (a) const init=\"import.meta.x\" from=\n31 export b (b) const init=\"`import 'x'\\nexport const c`\" from=\n",
		"export const a = /* c */ 1 // d\n": "0 export a (a) const init=\"1 // d\" from=\n",
		" ":                                 "",
	} {
		list, err := Parse(source)
		if got := describe(list); err != nil || got != want {
			t.Errorf("%s\nerror %v\n got %s\nwant %s", source, err, got, want)
		}
	}
}

func TestParseErrorsHaveAPosition(t *testing.T) {
	for source, want := range map[string]string{
		"import A from 'x'\nSome text":          "18: unexpected Some",
		"export const a = {":                    "0: the statement has a { that is not closed",
		"import A from 'x'\nexport const b = `": "18: the statement has a template string that is not closed",
		"const a = 1":                           "0: only import and export statements are allowed here",
		"import A":                              "0: the statement is incomplete",
		"import {a b} from 'x'":                 "10: unexpected b",
		"export a":                              "7: unexpected a",
		"export const a = ]":                    "17: no opening bracket for this ]",
		"export type A = {}":                    "7: types cannot be exported from a page",
		"export const = 1":                      "13: unexpected =",
		"export const a =":                      "0: the statement is incomplete",
		"export const a = 'x\n'":                "19: a quoted string must end on the same line; use a template string with ` for several lines",
		"import x from y":                       "14: unexpected y",
		"export const [a = 1":                   "0: the statement has a [ that is not closed",
	} {
		_, err := Parse(source)
		e, ok := err.(*Error)
		if !ok || fmt.Sprintf("%d: %s", e.Offset, e.Message) != want {
			t.Errorf("%q: %+v, want %s", source, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"import A, {b as c} from 'd'", "export const {a = [1], ...b} = c, d = 2;",
		"export default async function* e() {}", "export * as f from \"g\"", "import 'x' with {a: 'b'}",
		"export const [", "/* */import", "export {",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		list, err := Parse(source)
		if e, ok := err.(*Error); err != nil && (!ok || e.Offset < 0 || e.Offset > len(source)) {
			t.Fatalf("error %#v", err)
		}
		for _, s := range list {
			if s.At() < 0 || s.At() >= len(source) {
				t.Fatalf("statement at %d", s.At())
			}
			if e, ok := s.(*Export); ok && e.Init != "" && source[e.InitAt:e.InitAt+len(e.Init)] != e.Init {
				t.Fatalf("value %q is not at %d", e.Init, e.InitAt)
			}
		}
	})
}
