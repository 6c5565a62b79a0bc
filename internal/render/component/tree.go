package component

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

// maxTree limits the depth of a tree from data.
const maxTree = 64

func treeComponents() []Component {
	entry := []Prop{
		{Name: "name", Kind: Text, Required: true}, {Name: "defaultOpen", Kind: Flag}, {Name: "openable", Kind: Flag},
		{Name: "highlight", Kind: Flag},
		{Name: "comment", Kind: Rich}, {Name: "defaultClosed", Kind: Flag}, {Name: "icon", Ignored: true},
		{Name: "href", Ignored: true},
	}
	tree := []Prop{{Name: "items", Kind: Data}, {Name: "defaultOpen", Kind: Flag}, {Name: "title", Ignored: true}}
	return []Component{
		{Name: "Tree", Render: renderTree, Props: tree},
		{Name: "Tree.Folder", Render: renderTreeFolder, Props: entry},
		{Name: "Tree.File", Render: renderTreeFile, Props: entry},
		{Name: "FileTree", Render: renderTree, Props: tree},
		{Name: "FileTree.Folder", Render: renderTreeFolder, Props: entry},
		{Name: "FileTree.File", Render: renderTreeFile, Props: entry},
	}
}

func renderTree(w *Writer, e *ast.Element) {
	w.start("div", "tree", w.own(e), e)
	w.Raw(`>`)
	if items, ok := e.Prop("items").([]ast.Value); ok {
		w.treeItems(items, e.Flag("defaultOpen"), 0)
	}
	w.treeChildren(e.Children)
	w.Raw(`</div>`)
}

// treeChildren writes entries as a list. A Markdown list among them becomes entries too.
func (w *Writer) treeChildren(nodes []ast.Node) {
	if empty(nodes) {
		return
	}
	if list, ok := ast.Only[*ast.List](nodes); ok {
		w.treeList(list, 0)
		return
	}
	w.Raw(`<ul>`)
	w.Render(nodes)
	w.Raw(`</ul>`)
}

// treeEntry holds the properties of an entry before it is written.
type treeEntry struct {
	folder, open, openable, highlight bool
	name                              func()
	note                              []ast.Node
	children                          func() // nil = none
}

func (w *Writer) treeEntry(t treeEntry) {
	class := "tree-file"
	if t.folder {
		class = "tree-folder"
	}
	if t.highlight {
		class += " tree-mark"
	}
	w.Raw(`<li`)
	w.Attr("class", class)
	w.Raw(`>`)
	details := t.folder && t.openable && t.children != nil
	switch {
	case details:
		w.Raw(`<details`)
		w.Flag("open", t.open)
		w.Raw(`><summary class="tree-row">`)
	default:
		w.Raw(`<span class="tree-row">`)
	}
	if t.folder {
		w.Raw(
			`<svg class="tree-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7a2 2 0 0 1 2-2h4l2 2.5h8a2 2 0 0 1 2 2V17a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z"/></svg>`)
	} else {
		w.Raw(
			`<svg class="tree-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zm0 0v5h5"/></svg>`)
	}
	w.Raw(`<span class="tree-name">`)
	t.name()
	w.Raw(`</span>`)
	if t.note != nil {
		w.Raw(` <span class="tree-note">`)
		w.Render(t.note)
		w.Raw(`</span>`)
	}
	if details {
		w.Raw(`</summary>`)
	} else {
		w.Raw(`</span>`)
	}
	if t.children != nil {
		t.children()
	}
	if details {
		w.Raw(`</details>`)
	}
	w.Raw(`</li>`)
}

func renderTreeFolder(w *Writer, e *ast.Element) {
	t := treeEntry{
		folder: true, open: e.Flag("defaultOpen") &&
			!e.Flag("defaultClosed"), highlight: e.Flag("highlight"), note: w.plain(e, "comment"),
		openable: !e.Has("openable") || e.Flag("openable"), name: func() { w.Text(e.Str("name")) },
	}
	if !empty(e.Children) {
		t.children = func() { w.treeChildren(e.Children) }
	}
	w.treeEntry(t)
}

func renderTreeFile(w *Writer, e *ast.Element) {
	w.treeEntry(treeEntry{highlight: e.Flag("highlight"), note: w.plain(e, "comment"),
		name: func() { w.Text(e.Str("name")) }})
	w.Render(e.Children) // files have no content by design, but an author's content must not be lost
}

// treeList writes a Markdown list as a tree. Items with a nested list, or with a name that ends in a slash, are
// folders. Bold items are highlighted.
func (w *Writer) treeList(list *ast.List, depth int) {
	w.Raw(`<ul>`)
	for _, n := range list.Children {
		item, ok := n.(*ast.Item)
		if !ok {
			continue
		}
		var head []ast.Node
		var inner *ast.List
		for _, c := range item.Children {
			switch c := c.(type) {
			case *ast.List:
				inner = c
			case *ast.Paragraph:
				head = append(head, c.Children...)
			default:
				head = append(head, c)
			}
		}
		t := treeEntry{open: true, openable: true, name: func() { w.Render(head) }}
		t.folder = inner != nil || strings.HasSuffix(strings.TrimSpace(ast.PlainText(head)), "/")
		if len(head) > 0 {
			_, t.highlight = head[0].(*ast.Strong)
		}
		if inner != nil && depth < maxTree {
			t.children = func() { w.treeList(inner, depth+1) }
		}
		w.treeEntry(t)
	}
	w.Raw(`</ul>`)
}

// treeItems writes entries from data. A string is a file, or a folder if it ends in a slash. An object has name,
// items or children, and kind or type "folder".
func (w *Writer) treeItems(items []ast.Value, open bool, depth int) {
	w.Raw(`<ul>`)
	for _, v := range items {
		if s, ok := scalar(v); ok {
			if _, list := v.([]ast.Value); !list {
				w.treeEntry(treeEntry{folder: strings.HasSuffix(s, "/"), name: func() { w.Text(s) }})
			}
			continue
		}
		o, ok := v.(*ast.Object)
		if !ok {
			continue
		}
		name, _ := scalar(o.Get("name"))
		kind, _ := scalar(o.Get("kind"))
		if kind == "" {
			kind, _ = scalar(o.Get("type"))
		}
		inner, hasItems := o.Get("items").([]ast.Value)
		if !hasItems {
			inner, hasItems = o.Get("children").([]ast.Value)
		}
		t := treeEntry{openable: true, highlight: ast.Truthy(o.Get("highlight")), name: func() { w.Text(name) }}
		t.folder = hasItems || kind == "folder" || kind == "directory" || strings.HasSuffix(name, "/")
		t.open = open || ast.Truthy(o.Get("defaultOpen")) || ast.Truthy(o.Get("open")) || depth == 0
		for _, key := range [...]string{"comment", "note"} {
			switch note := o.Get(key).(type) {
			case ast.Nodes:
				t.note = note
			case string:
				t.note = []ast.Node{&ast.Text{Value: note}}
			}
		}
		if len(inner) > 0 && depth < maxTree {
			t.children = func() { w.treeItems(inner, open, depth+1) }
		}
		w.treeEntry(t)
	}
	w.Raw(`</ul>`)
}
