package maintain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// siteFile is docs.json or a file that it includes, with the pending edits.
type siteFile struct {
	*jsontree.Source
	edits []write.Edit
}

// openSite reads the files that contain the site's settings; unreadable ones are skipped with an item in the
// report.
func (j *job) openSite(files []string) (out []*siteFile) {
	for _, name := range files {
		src, ok := j.read(name)
		if !ok {
			continue
		}
		s, err := jsontree.ParseSource(name, string(src),
			jsontree.Limits{Bytes: maxSource, Depth: 200, Values: 1_000_000})
		if err != nil {
			j.left(name, 0, "", "it cannot be read: "+err.Error())
			continue
		}
		out = append(out, &siteFile{Source: s})
	}
	return out
}

// closeSite writes the files that changed, and reports whether there were any.
func (j *job) closeSite(files []*siteFile) (changed bool, err error) {
	for _, f := range files {
		if len(f.edits) == 0 {
			continue
		}
		out, err := write.Apply([]byte(f.Text), f.edits)
		if err != nil {
			return false, fmt.Errorf("change %s: %w", f.Name, err)
		}
		ok, err := j.write(f.Name, []byte(f.Text), out)
		if err != nil {
			return false, err
		}
		changed = changed || ok
	}
	return changed, nil
}

// replace replaces a string value.
func (f *siteFile) replace(v *jsontree.Value, text string) {
	start, end := f.Span(v)
	f.edits = append(f.edits, write.Edit{Span: ast.Span{Start: start, End: end}, Text: quoted(text)})
}

func (f *siteFile) insert(at int, text string) {
	f.edits = append(f.edits, write.Edit{Span: ast.Span{Start: at, End: at}, Text: text})
}

func quoted(s string) string {
	var b strings.Builder
	jsontree.Quote(&b, s)
	return b.String()
}

// eachText calls f for each string, with the key of the nearest enclosing member. Members whose key is in skip are
// skipped.
func eachText(v *jsontree.Value, key string, skip []string, f func(v *jsontree.Value, key string)) {
	switch v.Kind {
	case jsontree.List:
		for _, item := range v.Items {
			eachText(item, key, skip, f)
		}
	case jsontree.Object:
		for _, m := range v.Members {
			if !slices.Contains(skip, m.Key) {
				eachText(m.Value, m.Key, skip, f)
			}
		}
	case jsontree.String:
		f(v, key)
	}
}
