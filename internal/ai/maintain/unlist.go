package maintain

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// removeFromNavigation removes pages from the navigation without deleting them.
func (j *job) removeFromNavigation() error {
	for _, name := range j.task.Files {
		err := j.together("remove from the navigation", name, func(part *job) error {
			v, err := part.load()
			if err != nil {
				return err
			}
			page, why := v.find(name)
			if page == nil {
				part.left(name, 0, "remove from the navigation", why)
				return nil
			}
			return part.unlist(v, page.Path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// unlist removes the navigation entries of a page. A group without further pages is removed too.
func (j *job) unlist(v *view, page string) error {
	files := j.openSite(v.files)
	for _, f := range files {
		spans, empty, kept := f.entriesOf(f.Root, "", page)
		if empty || kept {
			j.left(f.Name, 0, "remove from the navigation", "nothing would be left in it")
		}
		for _, s := range spans {
			f.edits = append(f.edits, write.Edit{Span: s})
			line := 1 + strings.Count(f.Text[:s.Start], "\n")
			j.done(f.Name, line, "removed %s from the navigation", page)
		}
	}
	_, err := j.closeSite(files)
	return err
}

// entriesOf returns the spans to cut so that a page is no longer listed below a value. empty means that nothing
// would be left of the value, so that the value itself has to be removed; kept means that something that cannot be
// removed would become empty.
func (f *siteFile) entriesOf(v *jsontree.Value, key, page string) (spans []ast.Span, empty, kept bool) {
	switch v.Kind {
	case jsontree.List:
		var gone []int
		for i, item := range v.Items {
			if name, ok := slug.Clean(item.Text()); ok && item.Is(jsontree.String) && isPageKey(key) && name == page {
				gone = append(gone, i)
				continue
			}
			below, itemEmpty, itemKept := f.entriesOf(item, key, page)
			kept = kept || itemKept
			if itemEmpty {
				gone = append(gone, i)
				continue
			}
			spans = append(spans, below...)
		}
		if len(gone) > 0 && len(gone) == len(v.Items) {
			return nil, true, kept
		}
		spans = append(spans, f.cut(v, gone)...)
	case jsontree.Object:
		for _, m := range v.Members {
			if m.Key == "redirects" || m.Key == "$ref" || m.Key == "variables" {
				continue
			}
			below, memberEmpty, memberKept := f.entriesOf(m.Value, m.Key, page)
			spans, kept = append(spans, below...), kept || memberKept
			if !memberEmpty {
				continue
			}
			if m.Key == "navigation" || v.Get("root") != nil || v.Get("openapi") != nil { // it contains something else
				kept = true
			} else {
				empty = true
			}
		}
	}
	return spans, empty, kept
}

// cut returns the spans of some list items, including their commas and white space, in order. At least one item must
// remain.
func (f *siteFile) cut(list *jsontree.Value, gone []int) (out []ast.Span) {
	for n := 0; n < len(gone); n++ {
		from := gone[n]
		for n+1 < len(gone) && gone[n+1] == gone[n]+1 { // adjacent items
			n++
		}
		start, _ := f.Span(list.Items[from])
		_, end := f.Span(list.Items[gone[n]])
		if gone[n]+1 < len(list.Items) {
			end, _ = f.Span(list.Items[gone[n]+1])
		} else {
			_, start = f.Span(list.Items[from-1])
		}
		out = append(out, ast.Span{Start: start, End: end})
	}
	return out
}
