package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func codeGroupComponents() []Component {
	props := []Prop{
		{Name: "dropdown", Kind: Flag}, {Name: "sync", Kind: Flag}, {Name: "title", Ignored: true},
		{Name: "isRunnable", Ignored: true},
		{Name: "isFileName", Ignored: true}, {Name: "hideRunButton", Ignored: true}, {Name: "noCopy", Ignored: true},
	}
	return []Component{
		{Name: "CodeGroup", Render: renderCodeGroup, Props: props},
		{Name: "RequestExample", Render: besideBody(renderCodeGroup), Props: props},
		{Name: "ResponseExample", Render: besideBody(renderCodeGroup), Props: props},
		{Name: "Panel", Render: besideBody(renderPanel)},
	}
}

// besideBody renders a component in the panel next to the body. Inside that panel, it is rendered in place.
func besideBody(render func(w *Writer, e *ast.Element)) func(w *Writer, e *ast.Element) {
	return func(w *Writer, e *ast.Element) {
		if w.Side == nil || w.Side == w.Buffer {
			render(w, e)
			return
		}
		page, groups := w.Buffer, w.groups
		w.Buffer, w.groups = w.Side, nil
		render(w, e)
		w.Buffer, w.groups = page, groups
	}
}

func renderPanel(w *Writer, e *ast.Element) {
	w.start("div", "panel flow", w.own(e), e)
	w.Raw(`>`)
	w.Render(e.Children)
	w.Raw(`</div>`)
}

// renderCodeGroup writes a group of code as tabs. All fences inside it, at any depth, become its panels.
func renderCodeGroup(w *Writer, e *ast.Element) {
	g := &group{name: "CodeGroup"}
	panels := w.capture(func() { w.inside(g, func() { w.Render(e.Children) }) })
	if len(g.tabs) == 0 {
		w.Trusted(panels)
		return
	}
	class := "tabset codegroup code-group"
	if e.Name != "CodeGroup" {
		class += " codegroup-beside"
	}
	if len(g.tabs) == 1 {
		class += " codegroup-single"
	}
	dropdown := e.Flag("dropdown") && len(g.tabs) > 1
	if dropdown {
		class += " codegroup-dropdown"
	}
	w.start("lectern-tabs", class, w.exampleID(e), e)
	if e.Has("sync") && !e.Flag("sync") {
		w.Raw(` data-sync="off"`)
	}
	w.Raw(`>`)
	w.tabBar(g.tabs)
	if dropdown {
		w.codeMenu(g)
	}
	w.Trusted(panels)
	w.Raw(`</lectern-tabs>`)
}

// exampleID returns the author's id, or the id that authors' style sheets expect for an example next to the text.
func (w *Writer) exampleID(e *ast.Element) string {
	id := w.own(e)
	switch {
	case id != "" || w.parent("CodeGroup") != nil:
	case e.Name == "RequestExample":
		id = w.IDs.Claim("request-example")
	case e.Name == "ResponseExample":
		id = w.IDs.Claim("response-example")
	}
	return id
}

// codeMenu writes the tabs as a menu: a button with the selected title, for which a script creates the list. The server
// writes the button, so that nothing moves when the script runs.
func (w *Writer) codeMenu(g *group) {
	w.Raw(`<div class="codegroup-pick" data-platform><button type="button" class="pick" aria-haspopup="listbox" aria-expanded="false">`)
	w.Text(g.titles[0])
	w.Raw(`</button></div>`)
}

// codePanel writes a block as a panel of the group and adds its tab to the group.
func (w *Writer) codePanel(g *group, b CodeBlock) {
	title := b.Title
	if title == "" {
		title = languageTitle(b.Lang)
	}
	id := w.IDs.Heading("code " + title)
	label := w.capture(func() { w.codeLabel(&b, title) })
	open := len(g.tabs) == 0
	g.tabs, g.titles = append(g.tabs, tab{id: id, label: label, open: open}), append(g.titles, title)
	w.Raw(`<div class="tabset-panel" role="tabpanel"`)
	w.Attr("id", id)
	w.Attr("aria-labelledby", id+"--tab")
	w.Flag("data-active", open)
	w.Raw(`><p class="tabset-title" data-platform>`)
	w.Trusted(label)
	w.Raw(`</p>`)
	b.Bare, b.Title, b.Icon = true, "", ""
	w.codeFigure(b)
	w.Raw(`</div>`)
}

var languageTitles = map[string]string{
	"": "Code", "bash": "Bash", "sh": "Shell", "shell": "Shell", "zsh": "Shell", "console": "Terminal", "curl": "cURL",
	"js": "JavaScript", "javascript": "JavaScript",
	"jsx": "JSX", "ts": "TypeScript", "typescript": "TypeScript", "tsx": "TSX", "py": "Python", "python": "Python",
	"rb": "Ruby", "ruby": "Ruby", "go": "Go",
	"golang": "Go", "rs": "Rust", "rust": "Rust", "java": "Java", "kt": "Kotlin", "kotlin": "Kotlin", "cs": "C#",
	"csharp": "C#", "cpp": "C++", "c++": "C++",
	"c": "C", "php": "PHP", "swift": "Swift", "dart": "Dart", "ex": "Elixir", "elixir": "Elixir", "json": "JSON",
	"jsonc": "JSON", "json5": "JSON5",
	"yaml": "YAML", "yml": "YAML", "toml": "TOML", "xml": "XML", "html": "HTML", "css": "CSS", "scss": "SCSS",
	"sql": "SQL", "graphql": "GraphQL", "gql": "GraphQL",
	"powershell": "PowerShell", "ps1": "PowerShell", "dockerfile": "Dockerfile", "docker": "Docker", "hcl": "HCL",
	"tf": "Terraform", "terraform": "Terraform",
	"md": "Markdown", "markdown": "Markdown", "mdx": "MDX", "http": "HTTP", "env": ".env", "dotenv": ".env",
	"text": "Text", "txt": "Text", "plaintext": "Text",
	"proto": "Protobuf", "protobuf": "Protobuf", "solidity": "Solidity", "vue": "Vue", "svelte": "Svelte",
	"objc": "Objective-C", "node": "Node.js", "diff": "Diff",
	"ini": "INI", "r": "R", "lua": "Lua", "scala": "Scala", "perl": "Perl", "nginx": "nginx", "makefile": "Makefile",
}

// languageTitle returns the usual spelling of a language's name.
func languageTitle(lang string) string {
	if t, ok := languageTitles[strings.ToLower(lang)]; ok {
		return t
	}
	return clip.Bytes(lang, maxQuoted)
}
