package rename

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/esm"
	"github.com/lectern-docs/lectern/internal/mdx/frontmatter"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// maxSource limits the size of files in which references are changed, in bytes.
const maxSource = 8 << 20

// sources visits pages, snippets and code.
func (p *planner) sources(ctx context.Context) error {
	return fs.WalkDir(p.src, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("plan move: %w", err)
		}
		if base := d.Name(); name != "." && (strings.HasPrefix(base, ".") || base == "node_modules") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		switch ext := strings.ToLower(path.Ext(name)); {
		case !d.Type().IsRegular():
			return nil
		case ext == ".mdx" || ext == ".md":
			return p.page(name)
		case slices.Contains([]string{".jsx", ".tsx", ".js", ".ts"}, ext):
			return p.code(name)
		}
		return nil
	})
}

// page changes the references in a page or a snippet.
func (p *planner) page(name string) error {
	src, ok := p.read(name)
	if !ok {
		return nil
	}
	cut, list := frontmatter.Cut(name, src)
	if list.HasErrors() {
		p.note(name, "its front matter cannot be read")
		return nil
	}
	head := src[:len(src)-len(cut.Body)]
	root, list := mdx.Parse(name, cut.Body, cut.BodyLine)
	if list.HasErrors() {
		p.note(name, "it cannot be read as a page")
		return nil
	}
	w := &references{p: p, file: name, body: cut.Body, snippet: !p.present[slug.Page(name)]}
	ast.Walk(root.Children, w.node)
	w.definitions()
	body, err := write.Apply(cut.Body, w.edits)
	if err != nil {
		return fmt.Errorf("plan move of links in %s: %w", name, err)
	}
	p.edit(name, src, append(p.head(head), body...))
	return nil
}

// read returns a whole file. If the file cannot be read completely, ok is false and a note is added to the plan. A
// truncated file must not be written back.
func (p *planner) read(name string) (src []byte, ok bool) {
	src, err := safefile.Read(p.src, name, maxSource)
	switch {
	case err != nil:
		p.note(name, "it cannot be read")
	case len(src) > maxSource:
		p.note(name, fmt.Sprintf("it is larger than %d MB", maxSource>>20))
	default:
		return src, true
	}
	return nil, false
}

func (p *planner) note(file, why string) {
	p.plan.Notes = append(p.plan.Notes, fmt.Sprintf("%s was not changed: %s.", file, why))
}

// references changes the references in one page.
type references struct {
	p       *planner
	file    string
	body    []byte
	snippet bool // a snippet's relative links are relative to the page that includes it
	edits   []write.Edit
	defined map[string]bool // URLs of link definitions
}

// ref is planner.ref for the links on a page.
func (w *references) ref(ref string) (string, bool) {
	if w.snippet && !strings.HasPrefix(ref, "/") {
		return ref, false
	}
	return w.p.ref(w.file, ref)
}

// linking lists the attributes that contain URLs.
var linking = []string{"href", "src", "img", "image", "poster", "icon", "to", "light", "dark"}

func (w *references) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Link:
		w.link(n, n.URL)
	case *ast.Image:
		w.link(n, n.URL)
	case *ast.Element:
		for _, a := range n.Attrs {
			if slices.Contains(linking, a.Name) {
				w.attr(a)
			}
		}
	case *ast.ESM:
		w.imports(n)
	}
	return true
}

func (w *references) link(n ast.Node, ref string) {
	to, ok := w.ref(ref)
	if !ok {
		return
	}
	edit, err := write.SetLinkURL(w.body, n, to)
	switch {
	case errors.Is(err, write.ErrNotThere):
		if w.defined == nil {
			w.defined = map[string]bool{}
		}
		w.defined[ref] = true
	case err == nil:
		w.edits = append(w.edits, edit)
	}
}

// literal matches an expression that consists of a single string.
var literal = lazyregexp.New("^\\s*(?:\"([^\"\\\\$]*)\"|'([^'\\\\$]*)'|`([^`\\\\$]*)`)\\s*$")

func (w *references) attr(a ast.Attr) {
	value, span := a.Value, a.ValueSpan
	if a.Kind == ast.AttrExpr {
		m := literal.FindStringSubmatchIndex(string(w.body[span.Start:span.End]))
		if m == nil {
			return
		}
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				span = ast.Span{Start: a.ValueSpan.Start + m[i], End: a.ValueSpan.Start + m[i+1]}
				value = string(w.body[span.Start:span.End])
			}
		}
	} else if a.Kind != ast.AttrString {
		return
	}
	if a.Name == "icon" && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, ".") {
		return // the name of an icon
	}
	if to, ok := w.ref(value); ok && !strings.ContainsAny(to, "\"'`&<>") {
		w.edits = append(w.edits, write.Edit{Span: span, Text: to})
	}
}

// imports changes the paths in import statements. These paths are relative to the folder of the file, even in snippets.
func (w *references) imports(e *ast.ESM) {
	all, err := esm.Parse(e.Source)
	if err != nil && len(all) == 0 {
		return
	}
	for _, st := range all {
		if i, ok := st.(*esm.Import); ok {
			if to, ok := w.p.module(w.file, i.From); ok {
				at := e.Start + i.FromAt + 1 // after the opening quote
				if at+len(i.From) <= len(w.body) && string(w.body[at:at+len(i.From)]) == i.From {
					w.edits = append(w.edits, write.Edit{Span: ast.Span{Start: at, End: at + len(i.From)}, Text: to})
				}
			}
		}
	}
}

// definition matches a link reference definition.
var definition = lazyregexp.New(`(?m)^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s>]+)`)

// definitions changes the link definitions that this page uses.
func (w *references) definitions() {
	if w.defined == nil {
		return
	}
	for _, m := range definition.FindAllSubmatchIndex(w.body, -1) {
		ref := string(w.body[m[2]:m[3]])
		if to, ok := w.ref(ref); ok && w.defined[ref] {
			w.edits = append(w.edits, write.Edit{Span: ast.Span{Start: m[2], End: m[3]}, Text: to})
		}
	}
}
