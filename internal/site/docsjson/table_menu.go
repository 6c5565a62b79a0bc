package docsjson

import (
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file defines the keys for the menu of actions on a page.

func contextualShape(to *site.Menu) *shape {
	var o site.MenuOption
	option := optionShape(&o)
	return object(
		key{name: "options", shape: listOf(option), set: eachObject(&o, option, func(v *jsontree.Value) {
			if v.Kind == jsontree.String {
				o.Name = v.Str
			}
			to.Options = append(to.Options, o)
		})},
		key{name: "display", shape: word("header", "toc"), set: setEqual(&to.InTOC, "toc")})
}

// optionShape returns the shape of a built-in action's name or an author's own action.
func optionShape(to *site.MenuOption) *shape {
	query := listOf(object(key{name: "key", shape: text()}, key{name: "value", shape: scalar()}).needing("", "key")).
		or(open(scalar()))
	href := text().or(object(textKey("base", &to.Href),
		key{name: "query", shape: query, set: func(v *jsontree.Value) { to.Query = queryOf(v) }}).needing("", "base"))
	own := object(textKey("title", &to.Title), textKey("description", &to.Description),
		iconKey(&to.Icon, &to.IconType),
		key{name: "href", shape: href, set: func(v *jsontree.Value) {
			to.Href = collapse(v.Text())
			store(v, href)
		}}).needing("", "title", "href")
	named := word(options()...)
	named.spent = spentOptions()
	return named.or(own)
}

// queryOf decodes [{key, value}] or {key: value}.
func queryOf(v *jsontree.Value) (out []site.Meta) {
	if !v.Is(jsontree.List) {
		return metas(v)
	}
	for _, item := range v.Items {
		out = append(out, site.Meta{Name: item.Get("key").Text(), Content: item.Get("value").Text()})
	}
	return out
}

// options returns the names of the built-in page actions.
func options() []string {
	return []string{
		"copy", "view", "assistant", "download-spec", "download-pdf", "chatgpt", "claude", "perplexity", "grok",
		"aistudio", "devin", "mcp", "add-mcp", "cursor", "vscode",
	}
}

// spentOptions returns the options that the format defines but this platform does not support.
func spentOptions() []key {
	const whyApp = "there is no known way to open it"
	return []key{
		{name: "devin-desktop", idle: whyApp}, {name: "devin-mcp", idle: whyApp},
	}
}

// PageMenu decodes "contextual" in a page's front matter: {options, display}, a list of options, or false for no menu.
// It returns nil if the page sets no valid value. v may be nil.
func PageMenu(v *jsontree.Value) (*site.Menu, diag.List) {
	var list diag.List
	switch {
	case v == nil || v.Kind == jsontree.Null || v.True():
		return nil, nil
	case v.Is(jsontree.Bool):
		return &site.Menu{}, nil
	case v.Is(jsontree.List):
		options := v
		v = object1(options)
		put(v, "options", options)
	}
	var m site.Menu
	s := contextualShape(&m)
	if !newChecker(&list).check(v, s, &place{key: "contextual", level: "contextual"}) {
		return nil, list
	}
	store(v, s)
	return &m, list
}
