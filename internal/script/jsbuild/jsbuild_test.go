package jsbuild

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

func at(line, column int) diag.Pos {
	return diag.Pos{File: "guide/page.mdx", Line: line, Column: column}
}

func docs(pairs ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return m
}

func source(esm string, thunks ...string) Source {
	s := Source{File: "guide/page.mdx", ESM: []Piece{{esm, at(5, 1)}}}
	for i, text := range thunks {
		s.Thunks = append(s.Thunks, Piece{text, at(20+i, 7)})
	}
	return s
}

func lines(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		fmt.Fprintln(&b, d)
	}
	return b.String()
}

func TestImportsResolveInsideTheDocsFolder(t *testing.T) {
	files := docs(
		"snippets/a.jsx", `import { b } from "./b"; export const A = () => b`,
		"snippets/b.ts", `export const b: string = "from b" as string`,
		"snippets/deep/index.tsx",
		`import { b } from "../b"; export default function Deep<T,>(p: { x?: T }) { return <i>{b}</i> }`,
		"data.json", `{"n": 1}`, "images/x.png", "png", "guide/near.js", `export const near = 1`, "a.css", "x{}")
	u, _, list := New(files, nil).Unit(source(`import { A } from "/snippets/a.jsx"
import Deep from "/snippets/deep"
import data, { n } from "../data.json"
import { near } from "./near"
import logo from "/images/x.png"
import "snippets/a"
import * as React from "react"
import { useState } from "preact/hooks"
import "/a.css"`, `[A, Deep, data, n, near, logo, React, useState]`))
	if len(list) > 0 || u.Code == nil {
		t.Fatalf("findings:\n%s", lines(list))
	}
	for _, want := range []string{"from b", `"/images/x.png"`, "__lectern.React", "__lectern.h("} {
		if !strings.Contains(string(u.Code), want) {
			t.Errorf("%s is not in\n%s", want, u.Code)
		}
	}
}

func TestFindingsHaveTheAuthorsPosition(t *testing.T) {
	files := docs("snippets/bad.jsx", "export const A = () => {\n  return <p>é{</p>\n}\n", "snippets/few.jsx",
		"const Hidden = 1\nexport const Few = 2",
		"snippets/lib.jsx", `import x from "left-pad"; export const L = x`, "snippets/v.mdx", "ignored")
	esm := func(file string) ([]Piece, error) {
		return []Piece{{"export const v = 1\nimport {gone} from './gone'\nexport const w = gone",
			diag.Pos{File: file, Line: 8, Column: 1}}}, nil
	}
	for _, c := range []struct {
		name, esm string
		thunks    []string
		usable    bool
		want      string
	}{
		{"statement", "export const x = 1\nexport const y = é = (", nil, false,
			"guide/page.mdx:6:23: error: The JavaScript is incomplete. [js-syntax]\n"},
		{"thunk", "", []string{"1", "[1,\n  2 3]", "ok", "a b"}, true,
			"guide/page.mdx:22:5: error: Expected \"]\" but found \"3\". [js-syntax]\nguide/page.mdx:23:9: error: Expected \")\" but found \"b\". [js-syntax]\n"},
		{"open bracket", "", []string{"foo("}, true,
			"guide/page.mdx:20:11: error: The JavaScript is incomplete. [js-syntax]\n"},
		{"module", `import { A } from "/snippets/bad.jsx"`, []string{"A"}, false, "snippets/bad.jsx:2:16: error: "},
		{"missing file", `import { A } from "/snippets/none.jsx"`, []string{"A"}, true,
			"guide/page.mdx:5:19: warning: \"/snippets/none.jsx\" cannot be imported: no such file in the docs folder. [js-import-missing]\n"},
		{"outside", `import { A } from "../../../etc/passwd"`, []string{"A"}, true,
			"guide/page.mdx:5:19: warning: \"../../../etc/passwd\" cannot be imported: the path points outside the docs folder. [js-import-outside]\n"},
		{"package", `import { L } from "/snippets/lib.jsx"`, []string{"L"}, true,
			"snippets/lib.jsx:1:15: warning: \"left-pad\" cannot be imported: it is an npm package. [js-import-package]\n"},
		{"missing exports", "import D, { Few, Hidden } from '/snippets/few'", []string{"D+Few+Hidden"}, true,
			"guide/page.mdx:5:8: warning: snippets/few.jsx does not export default. [js-export-missing]\n" +
				"guide/page.mdx:5:18: warning: snippets/few.jsx does not export Hidden. [js-export-missing]\n"},
		{"through MDX", "import V, { v, w } from '/snippets/v.mdx'", []string{"<V>{v}{w}</V>"}, true,
			"snippets/v.mdx:9:20: warning: \"./gone\" cannot be imported: no such file in the docs folder. [js-import-missing]\n"},
		{"twice", "const a = 1\nconst a = 2", nil, false,
			"guide/page.mdx:6:7: error: The symbol \"a\" has already been declared. [js-syntax]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u, _, list := New(files, esm).Unit(source(c.esm, c.thunks...))
			if (u.Code != nil) != c.usable {
				t.Errorf("usable: %v", u.Code != nil)
			}
			if got := lines(list); !strings.HasPrefix(got, c.want) {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			for _, d := range list {
				if d.Hint == "" {
					t.Errorf("no hint: %s", d)
				}
			}
		})
	}
}

func TestSizesAreCapped(t *testing.T) {
	files := docs("big.js", "/*"+strings.Repeat("x", maxFile)+"*/")
	for i := range maxFiles + 10 {
		files[fmt.Sprintf("m%d.js", i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("import './m%d'", i+1))}
	}
	for spec, want := range map[string]string{"/big.js": "larger than", "/m0.js": "more than 500 files"} {
		u, _, list := New(files, nil).Unit(source("import " + quote(spec)))
		if u.Code != nil || !strings.Contains(lines(list), want) {
			t.Errorf("%s: %s", spec, lines(list))
		}
	}
}

func TestClientScriptContainsOnlyItsThunks(t *testing.T) {
	code := string(New(docs(), nil).
		Client(source(`export const f = () => "shared"`, `"first"`, `<p onClick={f}>second</p>`), []int{1}))
	for want, in := range map[string]bool{`Lectern.unit("guide/page.mdx",function(`: true, "shared": true,
		"second": true, "first": false} {
		if strings.Contains(code, want) != in {
			t.Errorf("%s: in the script %v, want %v\n%s", want, !in, in, code)
		}
	}
}

func TestSameSourceGivesTheSameCode(t *testing.T) {
	files := docs("a.jsx", "export const a = 1", "b.jsx", "export const b = 2")
	src := source("import {a} from '/a'\nimport {b} from '/b'", "a", "b")
	first, _, _ := New(files, nil).Unit(src)
	for range 5 {
		if again, _, _ := New(files, nil).Unit(src); string(again.Code) != string(first.Code) {
			t.Fatal("the code differs")
		}
	}
}

func BenchmarkUnit(b *testing.B) {
	files := docs("snippets/a.jsx",
		"import { b } from './b'\nexport const A = ({ x }) => <div className='p-4'>{b(x)}</div>", "snippets/b.js",
		"export const b = (x) => x * 2")
	builder := New(files, nil)
	src := source("import { A } from '/snippets/a.jsx'", "<A x={1}/>", "<A x={2}>{slot(0)}</A>")
	for b.Loop() {
		if u, _, _ := builder.Unit(src); u.Code == nil {
			b.Fatal("no code")
		}
	}
}

func TestPagesProvideOnlyNamesThatTheirFilesLack(t *testing.T) {
	files := docs("a.jsx", "// about C\nimport {D} from './d.jsx'; export const A = () => <div><B/><D/>{Bad}</div>",
		"b.jsx", "export const B = () => 1", "c.jsx", "export const C = 2",
		"d.jsx", "export const D = 3")
	src := source(
		"import {A} from '/a.jsx'\nimport {B} from '/b.jsx'\nimport {C} from '/c.jsx'\nimport {D} from '/d.jsx'\nexport const E = 4", "<A/>")
	src.Names = []string{"A", "B", "C", "D", "E"}
	u, _, list := New(files, nil).Unit(src)
	if len(list) > 0 {
		t.Error(list)
	}
	// C is in a comment: sharing too much does no harm
	for name, in := range map[string]bool{"A": false, "B": true, "C": true, "D": false, "E": false} {
		if strings.Contains(string(u.Code), "get "+name+"()") != in {
			t.Errorf("%s: lent %v, want %v\n%s", name, !in, in, u.Code)
		}
	}
}
