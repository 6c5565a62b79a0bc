package maintain

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// repoint redirects everything that refers to a page to the target; without a target, it lists the references.
func (j *job) repoint(v *view, page, target *site.Page) error {
	names, err := load.Sources(j.ctx, j.tree)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name == page.File {
			continue
		}
		if err := j.repointSource(v, name, page.Path, target); err != nil {
			return err
		}
	}
	files := j.openSite(v.files)
	from := v.table.From("index", "index")
	for _, f := range files {
		eachText(f.Root, "", []string{"$ref", "variables"}, func(t *jsontree.Value, key string) {
			if key != "destination" && !slices.Contains(addressKeys, key) {
				return
			}
			if to := from.Resolve("/" + strings.TrimPrefix(t.Str, "/")); to.Kind != link.ToPage || to.Page != page.Path {
				return
			}
			if target == nil {
				j.left(f.Name, int(t.Line), "leads to /"+page.Path, noTarget)
				return
			}
			f.replace(t, "/"+trimHome(target.Path))
			j.done(f.Name, int(t.Line), "%s → /%s", t.Str, trimHome(target.Path))
		})
	}
	_, err = j.closeSite(files)
	return err
}

// repointSource redirects a source's links from a path to the target; without a target, it lists them.
func (j *job) repointSource(v *view, name, from string, target *site.Page) error {
	src, ok := j.read(name)
	if !ok {
		return nil
	}
	s, list := parseSource(name, src)
	if list.HasErrors() {
		// In a source that cannot be parsed, a search for the name is all that is possible. In other sources it would
		// miss links that are encoded or contain no part of the path, such as ./index.mdx and "..".
		if strings.Contains(string(src), lastPart(from)) {
			_, _ = j.parse(name, src) // adds an item to the report
		}
		return nil
	}
	var edits []write.Edit
	for _, r := range s.references() {
		if r.image || !v.leadsTo(name, r.dest, from) {
			continue
		}
		if target == nil {
			j.left(name, r.pos.Line, "links to /"+from, noTarget)
			continue
		}
		body, _, _ := link.Cut(r.dest)
		made := s.redirect(r, v.write(place{target.Path, true}, spelling{written: body, rooted: true}))
		if len(made) == 0 {
			j.left(name, r.pos.Line, "links to /"+from, "it is written in a way that cannot be changed automatically")
			continue
		}
		edits = append(edits, made...)
		j.done(name, r.pos.Line, "%s → /%s", r.dest, trimHome(target.Path))
	}
	if len(edits) == 0 {
		return nil
	}
	_, err := j.apply(s, s.head, withoutOverlaps(edits))
	return err
}

// leadsTo reports whether a link of a source points to a path, whether or not the page exists.
func (v *view) leadsTo(source, dest, to string) bool {
	own := v.sources[source]
	switch t := v.table.From(own, own).Resolve(dest); t.Kind {
	case link.ToPage:
		return t.Page == to || t.Page == to+"/index"
	case link.Broken:
		body, _, ok := link.Cut(dest)
		if !ok {
			return false
		}
		if !strings.HasPrefix(body, "/") {
			body = path.Join(path.Dir(source), unescaped(body))
		}
		name, ok := slug.Clean(strings.TrimSuffix(strings.TrimSuffix(body, ".mdx"), ".md"))
		return ok && name == to
	}
	return false
}

// repointLinks changes links to the old paths of the task's moves to the new ones.
func (j *job) repointLinks() error {
	v, err := j.load()
	if err != nil {
		return err
	}
	names, err := j.sources()
	if err != nil {
		return err
	}
	for _, m := range j.task.Moves {
		from, ok := slug.Clean(strings.TrimSuffix(strings.TrimSuffix(m.From, ".mdx"), ".md"))
		target, why := v.find(m.To)
		if !ok || target == nil {
			j.left(m.From, 0, "lead links to "+m.To, cmp.Or(why, "this is not a page path"))
			continue
		}
		done := len(j.report.Done)
		for _, name := range names {
			if err := j.repointSource(v, name, from, target); err != nil {
				return err
			}
		}
		if len(j.report.Done) == done && !v.linked(j, names, target.Path) {
			j.left(m.From, 0, "lead links to "+m.To, "no page links to it")
		}
	}
	return nil
}

// linked reports whether one of the sources links to a page.
func (v *view) linked(j *job, names []string, page string) bool {
	for _, name := range names {
		src, ok := j.read(name)
		if !ok {
			continue
		}
		if s, ok := j.parse(name, src); ok {
			for _, r := range s.references() {
				if v.leadsTo(name, r.dest, page) {
					return true
				}
			}
		}
	}
	return false
}

func lastPart(page string) string {
	page = trimIndex(page)
	return page[strings.LastIndexByte(page, '/')+1:]
}
