package rename

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/safefile"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// siteEdit collects the edits of docs.json or of a file that it refers to.
type siteEdit struct {
	*jsonFile
	p     *planner
	edits []write.Edit
}

// openSite reads docs.json and the files it refers to. The result is keyed by file name.
func (p *planner) openSite() (map[string]*siteEdit, error) {
	open := map[string]*siteEdit{}
	for _, name := range p.files {
		src, err := safefile.Read(p.src, name, maxSource)
		if err != nil {
			return nil, fmt.Errorf("read site file: %w", err)
		}
		if len(src) > maxSource {
			return nil, invalid("old", "%s is larger than %d MB, so the navigation could not be changed.", name,
				maxSource>>20)
		}
		f, err := parseJSON(name, string(src))
		if err != nil {
			return nil, invalid("old", "%s cannot be read, so the navigation could not be changed: %s", name, err)
		}
		open[name] = &siteEdit{jsonFile: f, p: p}
	}
	return open, nil
}

// generated adds the moves of pages that are generated from API descriptions. It does so if the site file says that
// they are generated into the folder that moves.
func (p *planner) generated(open map[string]*siteEdit) {
	var folders []string
	var walk func(v *jsontree.Value)
	walk = func(v *jsontree.Value) {
		for _, item := range v.Items {
			walk(item)
		}
		for _, m := range v.Members {
			if dir := strings.Trim(path.Clean("/"+m.Value.Text()), "/"); m.Key == "directory" && p.old != "" &&
				strings.HasPrefix(dir+"/", p.old+"/") {
				folders = append(folders, dir)
			}
			walk(m.Value)
		}
	}
	for _, e := range open {
		walk(e.root)
	}
	for _, page := range p.site.Pages {
		if page.File == "" && slices.ContainsFunc(folders,
			func(dir string) bool { return strings.HasPrefix(page.Path, dir+"/") }) {
			p.pages[page.Path] = p.new + strings.TrimPrefix(page.Path, p.old)
		}
	}
}

// siteFiles updates the navigation, URLs and redirects in docs.json and the files it refers to.
func (p *planner) siteFiles(open map[string]*siteEdit, redirect bool) error {
	for _, e := range open {
		e.walk(e.root, "")
	}
	return p.redirects(open, redirect)
}

// redirects updates the site's redirects, and records all edits to docs.json and the files it refers to.
func (p *planner) redirects(open map[string]*siteEdit, redirect bool) error {
	if len(p.files) > 0 {
		list := findRedirects(open, p.files[0])
		list.update(redirect)
		if redirect {
			list.add()
		}
	} else if redirect && len(p.pages) > 0 {
		p.plan.Notes = append(p.plan.Notes, "There is no docs.json, so no redirect was added.")
	}
	for _, name := range p.files {
		e := open[name]
		after, err := write.Apply([]byte(e.src), e.edits)
		if err != nil {
			return fmt.Errorf("plan move in %s: %w", name, err)
		}
		p.edit(name, []byte(e.src), after)
	}
	return nil
}

// Keys of the site file whose values are page paths, and keys whose values are URLs or files. Values below proseKeys
// are not changed.
var (
	pageKeys = []string{"pages", "root", "page"}
	linkKeys = []string{"href", "url", "light", "dark", "logo", "favicon", "image", "openapi", "asyncapi", "source",
		"src", "css", "js",
		"styles", "scripts", "icon", "og:image", "twitter:image", "thumbnail", "$schema"}
	proseKeys = []string{"redirects", "$ref", "variables", "name", "description", "title", "group", "tab"}
)

// walk visits values. key is the key of the nearest enclosing member.
func (e *siteEdit) walk(v *jsontree.Value, key string) {
	switch v.Kind {
	case jsontree.List:
		for _, item := range v.Items {
			e.walk(item, key)
		}
	case jsontree.Object:
		for _, m := range v.Members {
			if !slices.Contains(proseKeys, m.Key) {
				e.walk(m.Value, m.Key)
			}
		}
	case jsontree.String:
		if to, ok := e.renamed(key, v.Str); ok {
			e.edits = append(e.edits, write.Edit{Span: e.span(v), Text: quote(to)})
		}
	}
}

// renamed returns the new value of a string under a key. If the key is unknown, as at the top level of a file included
// by $ref, the string is treated as an entry in a list of pages.
func (e *siteEdit) renamed(key, text string) (string, bool) {
	switch {
	case slices.Contains(pageKeys, key) || key == "" || key == "navigation" || key == "groups":
		return e.p.pageName(text)
	case key == "directory": // the folder of pages generated from an API description; it does not have to exist
		return e.p.directory(text)
	case key == "icon" && !strings.HasPrefix(text, "/"):
		return text, false
	case slices.Contains(linkKeys, key):
		return e.p.siteRef(text)
	}
	return text, false
}

// directory returns the new name of a folder inside the folder that moves.
func (p *planner) directory(text string) (string, bool) {
	dir := strings.Trim(path.Clean("/"+text), "/")
	if p.old == "" || !strings.HasPrefix(dir+"/", p.old+"/") {
		return text, false
	}
	lead := text[:len(text)-len(strings.TrimLeft(text, "/"))]
	return lead + p.new + strings.TrimPrefix(dir, p.old), true
}

// pageName returns a page's new path for the navigation, in the same form as the old path.
func (p *planner) pageName(text string) (string, bool) {
	clean, ok := slug.Clean(text)
	if !ok || strings.Contains(text, "://") {
		return text, false
	}
	lead := text[:len(text)-len(strings.TrimLeft(text, "/"))]
	body := strings.TrimLeft(text, "/")
	next := p.target(path.Clean(body))
	if to, moved := p.pages[clean]; moved && p.moved[body] == "" && path.Ext(body) == "" {
		next = to
	}
	return lead + next, next != path.Clean(body)
}

// siteRef returns the new form of a URL in the site file. In the site file, relative URLs are also relative to the
// root.
func (p *planner) siteRef(text string) (string, bool) {
	lead := ""
	ref := text
	switch {
	case strings.HasPrefix(text, "./"):
		lead, ref = "./", "/"+text[2:]
	case !strings.HasPrefix(text, "/"):
		lead, ref = "-", "/"+text
	}
	to, ok := p.ref("docs.json", ref)
	switch lead {
	case "-":
		to = strings.TrimPrefix(to, "/")
	case "./":
		to = "./" + strings.TrimPrefix(to, "/")
	}
	return to, ok
}

func insertAt(at int, text string) write.Edit {
	return write.Edit{Span: ast.Span{Start: at, End: at}, Text: text}
}
