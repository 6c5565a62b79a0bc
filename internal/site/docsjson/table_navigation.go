package docsjson

import (
	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// This file is the table's part about navigation. Entries may contain lists of entries, so the shapes are a graph; an entry's keys have
// the same name in the table at any depth: navigation.groups[].icon.

// division is a key that holds entries, with the key of an entry's name and the kind it becomes.
type division struct {
	key, name string
	kind      site.Kind
}

// divisions in the order in which they are read.
func divisions() []division {
	return []division{
		{"languages", "language", site.KindLanguage},
		{"versions", "version", site.KindVersion},
		{"products", "product", site.KindProduct},
		{"dropdowns", "dropdown", site.KindDropdown},
		{"tabs", "tab", site.KindTab},
		{"menu", "item", site.KindMenu},
		{"anchors", "anchor", site.KindAnchor},
		{"groups", "group", site.KindGroup},
		{"pages", "group", site.KindGroup},
	}
}

func navigationShape() *shape {
	entries := map[string]*shape{} // by the key of the name
	for _, d := range divisions() {
		if d.key != "pages" {
			entries[d.name] = &shape{kinds: []jsontree.Kind{jsontree.Object}, level: "navigation." + d.key + "[]", wants: d.name}
		}
	}
	page := &shape{kinds: []jsontree.Kind{jsontree.String, jsontree.Object}} // an entry that is no object, and what is said of others
	var lists []key
	for _, d := range divisions() {
		item := &shape{kinds: []jsontree.Kind{jsontree.String, jsontree.Object}}
		item.choose = func(v *jsontree.Value) *shape {
			if v.Kind != jsontree.Object {
				return page
			}
			return entries[nameOf(v, d.name)]
		}
		lists = append(lists, key{name: d.key, shape: listOf(item)})
	}
	for _, d := range divisions() {
		if d.key != "pages" {
			entries[d.name].keys = append(entryKeys(d), lists...)
		}
	}
	root := append([]key{{name: "global", shape: object(lists...)}}, lists...)
	root = append(root, key{name: "directory", shape: listingShape()}, key{name: "openapi", shape: sourceShape()}, key{name: "asyncapi", shape: sourceShape()})
	return object(root...).or(listOf(lists[len(lists)-1].shape.item)) // a bare list is one of pages and groups
}

// nameOf returns the key that determines an entry's kind, or else the one that its list requires.
func nameOf(v *jsontree.Value, wanted string) string {
	for _, d := range divisions() {
		if v.Get(d.name) != nil {
			return d.name
		}
	}
	return wanted
}

// listingShape is how a group's page lists the entries of the group.
func listingShape() *shape { return word("none", "accordion", "card") }

// entryKeys are the keys of an entry beside its lists.
func entryKeys(d division) []key {
	keys := []key{
		{name: d.name, shape: text()}, {name: "icon", shape: iconShape()}, {name: "iconType", shape: text()}, {name: "tag", shape: text()},
		{name: "hidden", shape: boolean()}, {name: "searchable", shape: boolean()}, {name: "boost", shape: number()},
		{name: "public", idle: "readers do not log in: every page that is published is public", quiet: true},
		{name: "directory", shape: listingShape()},
		{name: "openapi", shape: sourceShape()}, {name: "asyncapi", shape: sourceShape()},
		{name: "sdk", idle: "references made by other tools are not read"},
		{name: "graphql", idle: "GraphQL schemas are not read"},
		{name: "sourceRef", idle: "the navigation of another repository is not read"},
	}
	switch d.kind {
	case site.KindGroup:
		keys = append(keys, key{name: "root", shape: text()}, key{name: "expanded", shape: boolean()},
			key{name: "collapsed", idle: "groups are closed unless expanded is true"})
		return keys
	case site.KindLanguage:
		keys[0].shape = &shape{kinds: text().kinds, form: languageForm()}
		keys = append(keys, key{name: "banner", shape: bannerShape()}, key{name: "footer", shape: footerShape()},
			key{name: "navbar", shape: navbarShape()})
	}
	keys = append(keys, key{name: "href", shape: text()}, key{name: "description", shape: text()}, key{name: "color", shape: pairOf(color())})
	if d.kind == site.KindLanguage || d.kind == site.KindVersion || d.kind == site.KindProduct || d.kind == site.KindDropdown {
		keys = append(keys, key{name: "default", shape: boolean()})
	}
	return keys
}
