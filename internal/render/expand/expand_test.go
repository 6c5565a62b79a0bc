package expand

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func files(pairs ...string) fstest.MapFS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

// show writes a tree on one line: names of nodes with their props and children.
func show(nodes []ast.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Text:
			b.WriteString(strings.ReplaceAll(n.Value, "\n", " "))
		case *ast.CodeSpan:
			b.WriteString("`" + n.Value + "`")
		case *ast.Element:
			b.WriteString("<" + n.Name)
			for _, p := range n.Props {
				v, isNodes := p.Value.(ast.Nodes)
				if isNodes {
					fmt.Fprintf(&b, " %s=[%s]", p.Name, show(v))
				} else {
					fmt.Fprintf(&b, " %s=%s", p.Name, ast.String(p.Value))
				}
			}
			b.WriteString(">" + show(n.Children) + "</" + n.Name + ">")
		case *ast.Island:
			fmt.Fprintf(&b, "<island %d %s>%s</island>", len(n.Slots), n.Props, show(n.Children))
		case *ast.Slot:
			fmt.Fprintf(&b, "[slot %d]", n.Index)
		case *ast.Paragraph:
			b.WriteString("(p " + show(n.Children) + ")")
		case *ast.Strong:
			b.WriteString("*" + show(n.Children) + "*")
		case ast.Parent:
			b.WriteString(show(*n.List()))
		}
	}
	return b.String()
}

func expanded(t *testing.T, src fstest.MapFS, page string) (*Page, diag.List) {
	t.Helper()
	s := New(Options{Src: src, Variables: map[string]string{"version": "2.1"}})
	return s.Page(context.Background(), &ast.File{Name: "page.mdx", Body: []byte(page), Line: 1})
}

func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprintf("%s:%d:%d %s", d.File, d.Line, d.Column, d.Code))
	}
	return strings.Join(out, "; ")
}

func TestDataAndSnippetsNeedNoEngine(t *testing.T) {
	src := files(
		"snippets/word.mdx", "---\ntitle: x\n---\nSay {word} and **{props.word}**.",
		"snippets/outer.mdx", "import Word from '/snippets/word.mdx'\n\n<Word word={props.a} />",
		"snippets/wrap.mdx", "<Note>{children}</Note>",
		"snippets/vars.mdx", "export const name = 'Ada'\nexport const list = { a: [1, 2] }\n",
		"snippets/a.mdx", "import B from '/snippets/b.mdx'\n\n<B />",
		"snippets/b.mdx", "import A from '/snippets/a.mdx'\n\n<A />",
	)
	for _, c := range []struct{ name, page, want, codes string }{
		{"literals", "x {1 + 2} {'a'} {`t${1}`} {true} {null} {/* c */}", "(p x 3 a t1   )", ""},
		{"export const", "export const x = 'hi'\n\nIt is {x}, {x.length}.", "(p It is hi, 2.)", ""},
		{"props of a tag", `<Card title="A" cols={2} horizontal icon={<b>i</b>} list={['a', 'b']} />`,
			"<Card title=A cols=2 horizontal=true icon=[<b>i</b>] list=a,b></Card>", ""},
		{"map to elements", "export const xs = ['a', 'b']\n\n<ul>{xs.map((x, i) => <li key={i}>{x}</li>)}</ul>",
			"<ul><li>a</li><li>b</li></ul>", ""},
		{"undefined name", "Path {id} here", "(p Path  here)", "page.mdx:1:7 undefined-name"},
		{"text in braces", "So {a b c} it", "(p So {a b c} it)", "page.mdx:1:7 mdx-lenient-braces"},
		{"snippet with props", "import W from '/snippets/word.mdx'\n\n<W word=\"yes\" />", "(p Say yes and *yes*.)",
			""},
		{"nested snippets", "import O from '/snippets/outer.mdx'\n\n<O a=\"deep\" />", "(p Say deep and *deep*.)", ""},
		{"children", "import W from '/snippets/wrap.mdx'\n\n<W>\n  some **text**\n</W>", "<Note>(p some *text*)</Note>",
			""},
		{"constants of another file", "import { name, list as l } from '/snippets/vars.mdx'\n\n{name}: {l.a[1]}",
			"(p Ada: 2)", ""},
		{"legacy snippet", `<Snippet file="word.mdx" word="old" />`, "(p Say old and *old*.)", ""},
		{"variables", "Use {{version}} now", "(p Use 2.1 now)", ""},
		{"missing file", "import X from '/snippets/none.mdx'\n\nA <X /> b", "(p A  b)", "page.mdx:1:1 missing-import"},
		{"missing component", "import { X } from '/snippets/none.jsx'\n\n<X>kept</X>", "kept",
			"page.mdx:1:1 missing-import"},
		{"import between tags", "<Note>\n\nimport W from '/snippets/word.mdx'\n\n<W word=\"in\" />\n\n</Note>",
			"<Note>(p Say in and *in*.)</Note>", ""},
		{"small letters are HTML", "import word from '/snippets/word.mdx'\n\n<word />", "<word></word>", ""},
		{"a circle", "import A from '/snippets/a.mdx'\n\n<A />", "", "snippets/b.mdx:3:1 snippet-cycle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, list := expanded(t, src, c.page)
			if got := show(p.Nodes); strings.TrimSpace(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := codes(list); got != c.codes {
				t.Errorf("findings %s, want %s", got, c.codes)
			}
			if p.Scripts != 0 {
				t.Errorf("%d pieces of code ran", p.Scripts)
			}
		})
	}
}

func TestCodeRunsInTheEngine(t *testing.T) {
	src := files(
		"snippets/hello.jsx",
		"export const Hello = ({ name, children }) => <p className=\"h\">Hi {name.toUpperCase()} {children}</p>",
		"snippets/count.jsx",
		"export const Count = ({ start, children }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>{n}{children}</button> }",
		"snippets/lib.mdx",
		"export const Badge2 = ({ text }) => <b>{text}!</b>\nexport const twice = [1, 2].map((x) => ({ x }))\n",
		"snippets/shout.mdx", "LOUD {word}",
		"snippets/uses.jsx",
		"import Shout from '/snippets/shout.mdx'\nexport const Uses = () => <div><Shout word=\"x\" /></div>",
	)
	for _, c := range []struct{ name, page, want, codes string }{
		{"component", "import { Hello } from '/snippets/hello.jsx'\n\n<Hello name=\"ada\">\n  **you**\n</Hello>",
			"<p className=h>Hi ADA (p *you*)</p>", ""},
		{"inline component", "export const T = ({ a }) => <i>{a}</i>\n\n<T a={1 + 1} />", "<i>2</i>", ""},
		{"beyond data", "export const xs = [3, 1, 2]\n\nSorted {[...xs].sort().join('-')}", "(p Sorted 1-2-3)", ""},
		{"names of JavaScript", `{parseInt("12px")} {encodeURIComponent("a b")} {typeof Date}`, "12a%20bfunction", ""},
		{"client component", "import { Count } from '/snippets/count.jsx'\n\n<Count start={5}>\n  **in**\n</Count>",
			"<island 1 {}><button>5[slot 0]</button></island>", ""},
		{"component of another page", "import { Badge2 } from '/snippets/lib.mdx'\n\n<Badge2 text=\"go\" />",
			"<b>go!</b>", ""},
		{"code that imports a snippet", "import { Uses } from '/snippets/uses.jsx'\n\n<Uses />",
			"<div>(p LOUD x)</div>", ""},
		{"a component that throws", "export const Bad = () => { throw new Error('no') }\n\nA\n\n<Bad />\n\nB",
			"(p A)(p B)", "page.mdx:5:1 script-failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, list := expanded(t, src, c.page)
			if got := show(p.Nodes); strings.TrimSpace(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := codes(list); got != c.codes {
				t.Errorf("findings %v, want %s", list, c.codes)
			}
			if p.Scripts == 0 {
				t.Error("no code ran")
			}
		})
	}
}

func TestHostileCodeFailsOnlyItsPage(t *testing.T) {
	s := New(Options{Src: files()})
	page := func(body string) (*Page, diag.List) {
		return s.Page(context.Background(), &ast.File{Name: "p.mdx", Body: []byte(body), Line: 1})
	}
	for _, evil := range []string{"{(() => { for (;;) {} })()}", "{'x'.repeat(2 ** 40)}",
		"{(() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)) })()}",
		"export const f = () => f() + 1\n\n{f()}"} {
		p, list := page("before\n\n" + evil + "\n\nafter")
		if strings.Contains(show(p.Nodes), "xxx") || len(list) == 0 {
			t.Errorf("%s: %v", evil, list)
		}
	}
	page("export const x = (Object.prototype.evil = 'leak', 1)\n\n{x}")
	if p, _ := page("export const f = () => ({}).evil + ''\n\n{f()}"); strings.Contains(show(p.Nodes), "leak") {
		t.Error("one page changed what another sees")
	}
}

func TestExponentialSnippetsAreStopped(t *testing.T) {
	src := fstest.MapFS{}
	for i := range 18 {
		src[fmt.Sprintf("s%d.mdx",
			i)] = &fstest.MapFile{Data: []byte(fmt.Sprintf("import X from '/s%d.mdx'\n\n<X />\n\n<X />\n\n<X />", i+1))}
	}
	src["s18.mdx"] = &fstest.MapFile{Data: []byte("end")}
	_, list := expanded(t, src, "import X from '/s0.mdx'\n\n<X />")
	if !list.HasErrors() || !strings.Contains(codes(list), "page-too-large") {
		t.Errorf("findings %v", list)
	}
}
