package maintain

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/ast"
	"github.com/lectern-docs/lectern/internal/mdx/write"
)

// This file implements tasks that contain the new text or position.

// describeAs sets the description of a page to the task's text, replacing an existing one.
func (j *job) describeAs() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	page, why := v.find(j.task.Files[0])
	if page == nil {
		j.left(j.task.Files[0], 0, "description", why)
		return nil
	}
	src, ok := j.read(page.File)
	if !ok {
		return nil
	}
	out, err := write.SetField(src, "description", j.task.Text)
	if err != nil {
		j.left(page.File, 0, "description", err.Error())
		return nil
	}
	if ok, err := j.write(page.File, src, out); err != nil || !ok {
		return err
	}
	j.done(page.File, 0, "description: %s", j.task.Text)
	return nil
}

// nameImage sets the alt text of an image on a page: the image given in the task, or the only one without alt text.
func (j *job) nameImage() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	page, why := v.find(j.task.Files[0])
	if page == nil {
		j.left(j.task.Files[0], 0, "alt text", why)
		return nil
	}
	src, ok := j.read(page.File)
	if !ok {
		return nil
	}
	s, ok := j.parse(page.File, src)
	if !ok {
		return nil
	}
	var edits []write.Edit
	ast.Walk(s.root.Children, func(n ast.Node) bool {
		file, at, edit := s.textless(n)
		if edit == nil || j.task.From != "" && !strings.HasSuffix(slashed(file), slashed(j.task.From)) {
			return true
		}
		if e, ok := edit(j.task.Text); ok {
			edits = append(edits, e)
			j.done(page.File, s.line(at), "%s: %s", file, j.task.Text)
		}
		return true
	})
	if len(edits) != 1 {
		j.report.Done = nil
		why := "it has no such image without alt text"
		if len(edits) > 1 {
			why = "it has several such images; name one"
		}
		j.left(page.File, 0, "alt text", why)
		return nil
	}
	_, err = j.apply(s, s.head, edits)
	return err
}

// removeRedirects removes the redirects from the given addresses.
func (j *job) removeRedirects() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	files := j.openSite(v.files)
	found := map[string]bool{}
	for _, f := range files {
		list := f.Root.Get("redirects")
		if !list.Is(jsontree.List) {
			continue
		}
		var gone []int
		for i, rule := range list.Items {
			from := rule.Get("source").Text()
			if slices.ContainsFunc(j.task.Files, func(name string) bool { return sameAddress(from, name) }) {
				gone, found[slashed(from)] = append(gone, i), true
				j.done(f.Name, int(rule.Line), "removed the redirect from %s to %s", from, rule.Get("destination").Text())
			}
		}
		f.empty(list, gone)
	}
	for _, name := range j.task.Files {
		if !found[slashed(name)] {
			j.left(v.site.File, 0, "remove the redirect from "+slashed(name), "there is no such redirect")
		}
	}
	_, err = j.closeSite(files)
	return err
}

func slashed(address string) string { return "/" + strings.Trim(address, "/") }

func sameAddress(a, b string) bool { return slashed(a) == slashed(b) }

// empty removes items from a list; unlike cut, it can remove all of them.
func (f *siteFile) empty(list *jsontree.Value, gone []int) {
	if len(gone) < len(list.Items) {
		for _, s := range f.cut(list, gone) {
			f.edits = append(f.edits, write.Edit{Span: s})
		}
		return
	}
	if len(gone) > 0 {
		start, end := f.Span(list)
		f.edits = append(f.edits, write.Edit{Span: ast.Span{Start: start, End: end}, Text: "[]"})
	}
}

// renameGroup renames a navigation group. The task identifies the group by the name that readers see.
func (j *job) renameGroup() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	files := j.openSite(v.files)
	count := 0
	for _, f := range files {
		eachText(f.Root, "", []string{"redirects", "$ref", "variables"}, func(t *jsontree.Value, key string) {
			if key == "group" && strings.EqualFold(t.Str, j.task.From) && t.Str != j.task.To {
				f.replace(t, j.task.To)
				j.done(f.Name, int(t.Line), "group %s → %s", t.Str, j.task.To)
				count++
			}
		})
	}
	if count == 0 {
		j.left(v.site.File, 0, "group "+j.task.From, "the navigation has no such group")
		return nil
	}
	_, err = j.closeSite(files)
	return err
}

// placeInNavigation moves or adds a page before or after another page in the navigation.
func (j *job) placeInNavigation() error {
	name, beside, after := j.task.Files[0], j.task.After, true
	if beside == "" {
		beside, after = j.task.Before, false
	}
	what := "place in the navigation"
	return j.together(what, name, func(part *job) error {
		v, err := part.load()
		if err != nil {
			return err
		}
		page, why := v.find(name)
		next, whyNext := v.find(beside)
		switch {
		case page == nil:
			part.left(name, 0, what, why)
			return nil
		case next == nil:
			part.left(beside, 0, what, whyNext)
			return nil
		case page == next:
			part.left(name, 0, what, "a page cannot be next to itself")
			return nil
		}
		if page.Listed {
			if err := part.unlist(v, page.Path); err != nil {
				return err
			}
			if v, err = part.load(); err != nil {
				return err
			}
		}
		files := part.openSite(v.files)
		for _, f := range files {
			for _, l := range f.pageLists(f.Root, "", false) {
				i := slices.IndexFunc(l.entries, func(e entry) bool { return e.page == next.Path })
				if i < 0 {
					continue
				}
				part.report.Done = nil
				part.done(f.Name, int(l.list.Items[l.entries[i].index].Line), "placed %s next to %s", page.Path, next.Path)
				l.putBeside(page.Path, l.entries[i].index, after)
				_, err := part.closeSite(files)
				return err
			}
		}
		part.left(beside, 0, what, "it is not in the navigation")
		return nil
	})
}

// putBeside writes a page before or after an item of the list, with a leading slash if the item has one.
func (l *pageList) putBeside(page string, index int, after bool) {
	if strings.HasPrefix(l.list.Items[index].Str, "/") {
		page = "/" + page
	}
	if !after {
		index--
	}
	l.put(index, quoted(page))
}

// isAddress reports whether a text is an address on the site without a query or a pattern.
func isAddress(s string) bool {
	_, ok := slug.Clean(s)
	return ok && !strings.ContainsAny(s, " ?#*:\\")
}
