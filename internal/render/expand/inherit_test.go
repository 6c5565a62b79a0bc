package expand

import (
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestImportedFilesInheritNamesOfThePage(t *testing.T) {
	src := files(
		"snippets/outer.mdx", "Before\n\n<Inner word=\"x\" />\n\n<Note>n</Note>",
		"snippets/inner.mdx", "Say {word}",
		"snippets/uses.mdx", "<Hello name=\"ada\">**you**</Hello>",
		"snippets/counts.mdx", "<Count start={5} />",
		"snippets/hello.jsx", "export const Hello = ({ name, children }) => <p>Hi {name.toUpperCase()} {children}</p>",
		"snippets/count.jsx",
		"export const Count = ({ start }) => { const [n, set] = useState(start); return <button onClick={() => set(n + 1)}>{n}</button> }",
		"snippets/steps.jsx",
		"export const Steps2 = () => { const own = Hello({ name: 'eve' }); return <div>{own}{tell('x')}</div> }",
		"snippets/tell.jsx", "export const tell = (x) => x + '!'",
	)
	for _, c := range []struct{ name, page, want, codes string }{
		{"a snippet uses a snippet of the page",
			"import Outer from '/snippets/outer.mdx'\nimport Inner from '/snippets/inner.mdx'\n\n<Outer />",
			"(p Before)(p Say x)<Note>n</Note>", ""},
		{"a snippet uses a component of the page",
			"import Uses from '/snippets/uses.mdx'\nimport { Hello } from '/snippets/hello.jsx'\n\n<Uses />",
			"<p>Hi ADA *you*</p>", ""},
		{"a client component keeps its props",
			"import Counts from '/snippets/counts.mdx'\nimport { Count } from '/snippets/count.jsx'\n\n<Counts />",
			"<island 0 {\"start\":5}><button>5</button></island>", ""},
		{"a file uses what the page imports",
			"import { Steps2 } from '/snippets/steps.jsx'\nimport { Hello } from '/snippets/hello.jsx'\nimport { tell } from '/snippets/tell.jsx'\n\n<Steps2 />",
			"<div><p>Hi EVE </p>x!</div>", ""},
		{"the platform's components are not overridden",
			"import Outer from '/snippets/outer.mdx'\nimport Inner from '/snippets/inner.mdx'\nimport { Hello as Note } from '/snippets/hello.jsx'\n\n<Outer />",
			"(p Before)(p Say x)<Note>n</Note>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := New(Options{Src: src, Platform: func(name string) bool { return name == "Note" }})
			p, list := s.Page(context.Background(), &ast.File{Name: "page.mdx", Body: []byte(c.page), Line: 1})
			if got := strings.TrimSpace(show(p.Nodes)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := codes(list); got != c.codes {
				t.Errorf("findings %v, want %s", list, c.codes)
			}
		})
	}
}
