package expand

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// showPersonal is like show, but includes the parts that the browser computes.
func showPersonal(nodes []ast.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n := n.(type) {
		case *ast.Personal:
			if !n.Choice {
				fmt.Fprintf(&b, "[%s: %s]", n.Code, showPersonal(n.Children))
				continue
			}
			then, other := n.Children, n.Other
			if !n.Holds {
				then, other = other, then
			}
			fmt.Fprintf(&b, "[%s (%v) ? %s : %s]", n.Code, n.Holds, showPersonal(then), showPersonal(other))
		case *ast.Paragraph:
			b.WriteString("(p " + showPersonal(n.Children) + ")")
		case *ast.Included:
			b.WriteString(showPersonal(n.Children))
		default:
			b.WriteString(show([]ast.Node{n}))
		}
	}
	return b.String()
}

// The browser computes the reader's values: a page contains the content for an unknown reader, and code to compute the
// rest.
func TestReaderValuesAreComputedInTheBrowser(t *testing.T) {
	src := files("snippets/hi.mdx", "Hi {user.name}", "snippets/own.mdx", "Hi {user.name}",
		"snippets/card.jsx", "export const Hi = ({ name }) => <b>Hi {name ?? 'you'} {user.name ?? 'there'}</b>",
		"snippets/count.jsx", "export const Count = () => { const [n, set] = useState(user.n ?? 3); return <button onClick={() => set(n)}>{n}</button> }")
	for _, c := range []struct{ name, page, want, codes string }{
		{"a field", "Hello {user.firstName}!", `(p Hello [["user","firstName"]: ]!)`, ""},
		{"a field of a field", "A {user.org.plan} {user?.org?.plan} {user['org'].plan}",
			`(p A [["user","org","plan"]: ] [["user","org","plan"]: ] [["user","org","plan"]: ])`, ""},
		{"a default", `At {user.company ?? "your company"}.`,
			`(p At [["??",["user","company"],"your company"]: your company].)`, ""},
		{"a default of the page", "export const who = 'you'\n\nHello {user.name || who}",
			`(p Hello [["||",["user","name"],"you"]: you])`, ""},
		{"a text with fields", "{`Hello ${user.name}, ` + user.title}",
			`[["+",["+","Hello ",["user","name"],", "],["user","title"]]: Hello , ]`, ""},
		{"a choice of texts", "Hi {user.plan === 'pro' ? 'friend' : 'all'}",
			`(p Hi [["?",["===",["user","plan"],"pro"],"friend","all"]: all])`, ""},
		{"a choice of content", "{user.plan !== 'pro' ? <a href=\"/buy\">Buy</a> : <>Thanks {user.name}</>}",
			`[["!",["===",["user","plan"],"pro"]] (true) ? <a href=/buy>Buy</a> : Thanks [["user","name"]: ]]`, ""},
		{"content for some", "{user.beta && <Note>Beta</Note>}", `[["user","beta"] (false) ? <Note>Beta</Note> : ]`, ""},
		{"content in place of a missing value", "{user.name ?? <b>you</b>}",
			`[["!",["===",["user","name"],null]] (false) ? [["user","name"]: ] : <b>you</b>]`, ""},
		{"nested choices", "{user.a ? <b>a</b> : user.b == null ? <i>none</i> : <i>b</i>}",
			`[["user","a"] (false) ? <b>a</b> : [["===",["user","b"],null] (true) ? <i>none</i> : <i>b</i>]]`, ""},
		{"a snippet", "import Hi from '/snippets/hi.mdx'\n\n<Hi />", `Hi [["user","name"]: ]`, ""},
		{"a prop of that name", "import Own from '/snippets/own.mdx'\n\n<Own user={{name: 'Ada'}} />", "(p Hi Ada)", ""},
		{"a name of the page", "export const user = { name: 'Ada' }\n\nHi {user.name}", "(p Hi Ada)", ""},
		{"a field of something else", "export const a = { user: { b: 1 } }\n\n{a.user.b} \\{user.name}", "(p 1 {user.name})", ""},

		{"an attribute", "<a href={`/x/${user.id}`}>x</a>", "<a href=/x/undefined>x</a>", "page.mdx:1:9 personal-value"},
		{"a call", "{user.name?.toUpperCase()}", "", "page.mdx:1:1 personal-value"},
		{"a comparison that changes types", "{user.n == 1 ? 'one' : 'other'}", "other", "page.mdx:1:1 personal-value"},
		{"a list", "export const list = ['a']\n\n{list.map(x => <b>{user.name ?? x}</b>)}", "<b>a</b>",
			"page.mdx:3:1 personal-value"},
		{"author code", "import { Hi } from '/snippets/card.jsx'\n\n<Hi name={user.name} />", "<b>Hi you there</b>",
			"page.mdx:3:5 personal-value"},
		{"author code that does not name it", "import { Hi } from '/snippets/card.jsx'\n\n<Hi name=\"Ada\" />",
			"<b>Hi Ada there</b>", ""},
		{"author code for the browser", "import { Count } from '/snippets/count.jsx'\n\n<Count />",
			"<island 0 {}><button>3</button></island>", ""},
		{"an expression for the engine", "{new Date(0).getTime() + (user.n ?? 5)}", "5", "page.mdx:1:1 personal-value"},
		{"the whole object", "Hello {user}", "(p Hello )", "page.mdx:1:7 value-not-shown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, list := expanded(t, src, c.page)
			got := strings.TrimSpace(showPersonal(p.Nodes))
			if got != c.want && got != "(p "+c.want+")" {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if got := codes(list); got != c.codes {
				t.Errorf("findings %v, want %s", list, c.codes)
			}
		})
	}
}
