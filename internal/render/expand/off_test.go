package expand

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
)

// C1: with scripts off, no author code is evaluated. Content that needs it is omitted and reported; data and snippets
// work as usual.
func TestNoCodeRunsWhenScriptsAreOff(t *testing.T) {
	src := files("snippets/note.mdx", "Hello **{name}**", "snippets/box.jsx", "export const Box = () => <b>box</b>",
		"snippets/user.mdx", "<Lent />")
	for _, c := range []struct{ name, page, want, finding string }{
		{"constructor", `{[].constructor.constructor("return process")()}`, "", "script-off"},
		{"process", `{process.env.SECRET}`, "", "undefined-name"},
		{"global", `{globalThis.process}`, "", "script-off"},
		{"prototype", `{({}).__proto__.polluted = 1}`, "", "script-off"},
		{"import call", `{import("fs")}`, "", "script-off"},
		{"require", `{require("fs").readFileSync("/etc/passwd")}`, "", "undefined-name"},
		{"function", `{(() => 1)()}`, "", "script-off"},
		{"template with a call", "{`${(() => 1)()}`}", "", "script-off"},
		{"tagged template", "{String.raw`x`}", "", "script-off"},
		{"getter", `{({ get x() { return 1 } }).x}`, "", "script-off"},
		{"new", `{new Function("return 1")()}`, "", "script-off"},
		{"eval", `{eval("1")}`, "", "script-off"},
		{"component on the page", "export const A = () => <i>x</i>\n\n<A />", "", "script-off"},
		{"component from a file", "import { Box } from '/snippets/box.jsx'\n\n<Box />", "", "script-off"},
		{"component lent to a snippet",
			"import User from '/snippets/user.mdx'\n\nexport const Lent = () => <i>x</i>\n\n<User />", "",
			"script-off"},
		{"side effect of a file", "import '/snippets/box.jsx'\n\nA", "(p A)", ""},
		{"handler", `<button onClick={() => alert(1)}>x</button>`, "", "script-off"},
		{"attribute", `<Card title={(() => "x")()}>y</Card>`, "<Card title=undefined>y</Card>", "script-off"},
		{"spread", `<Card {...(() => ({a: 1}))()}>y</Card>`, "<Card>y</Card>", "script-off"},
		{"data", "export const v = {a: [1, 2]}\n\n{v.a[1]} and {1 + 2}", "(p 2 and 3)", ""},
		{"snippet", "import Note from '/snippets/note.mdx'\n\n<Note name=\"you\" />", "(p Hello *you*)", ""},
		{"variable", "{{version}}", "(p 2.1)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := func() (jsrun.Process, error) {
				t.Error("a process was started")
				return nil, errors.New("none")
			}
			s := New(Options{Src: src, Variables: map[string]string{"version": "2.1"},
				Scripts: jsrun.Host{Off: true, Start: start}})
			defer s.Close()
			page, list := s.Page(context.Background(), &ast.File{Name: "page.mdx", Body: []byte(c.page), Line: 1})
			if got := strings.ReplaceAll(show(page.Nodes), "(p )", ""); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if page.Scripts != 0 || len(page.Client) != 0 {
				t.Errorf("%d pieces of code ran, %d go to the browser", page.Scripts, len(page.Client))
			}
			if list.HasErrors() || c.finding == "" && len(list) > 0 {
				t.Errorf("findings %v", list)
			}
			if c.finding != "" && (len(list) == 0 || list[0].Code != c.finding) {
				t.Errorf("findings %v, want %s", list, c.finding)
			}
		})
	}
}
