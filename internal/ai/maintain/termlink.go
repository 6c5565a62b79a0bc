package maintain

import (
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/mdx/write"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/load"
)

// follow updates references to headings whose id has changed. touched are the sources whose headings changed;
// before is the folder before the change.
func (r *renamer) follow(before fs.FS, v *view, touched []string) error {
	if len(touched) == 0 {
		return nil
	}
	pages := v.pagesOf(touched)
	names, err := load.Sources(r.ctx, r.tree)
	if err != nil {
		return err
	}
	targets := map[string]bool{}
	err = r.anchored(v, names, func(_ *source, _ reference, t link.Target) string {
		if pages == nil || pages[t.Page] {
			targets[t.Page] = true
		}
		return ""
	})
	if err != nil || len(targets) == 0 {
		return err
	}
	ids, err := r.renamed(before, slices.Sorted(maps.Keys(targets)))
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := r.siteAnchors(v, ids); err != nil {
		return err
	}
	return r.anchored(v, names, func(s *source, ref reference, t link.Target) string {
		id, ok := ids[[2]string{t.Page, t.Anchor}]
		if !ok {
			return ""
		}
		return withAnchor(ref.dest, id)
	})
}

// pagesOf returns the pages whose ids may change with the sources. It returns nil, which means any page, if one of the
// sources is a snippet, since any page may show it.
func (v *view) pagesOf(sources []string) map[string]bool {
	pages := map[string]bool{}
	for _, name := range sources {
		page := v.sources[name]
		if page == "" {
			return nil
		}
		pages[page] = true
	}
	return pages
}

// renamed maps the changed ids of pages, by page and old id, to the new ones. Pages whose number of headings has
// changed are left out.
func (r *renamer) renamed(before fs.FS, pages []string) (map[[2]string]string, error) {
	old, err := r.anchors(before, pages)
	if err != nil {
		return nil, err
	}
	now, err := r.anchors(r.tree, pages)
	if err != nil {
		return nil, err
	}
	out := map[[2]string]string{}
	for page, ids := range old {
		for i, id := range ids {
			if len(ids) == len(now[page]) && now[page][i] != id && !slices.Contains(now[page], id) {
				out[[2]string{page, id}] = now[page][i]
			}
		}
	}
	return out, nil
}

// anchored calls f for each reference to an anchor of a page, and replaces the address with the result unless that is
// "".
func (r *renamer) anchored(v *view, names []string, f func(*source, reference, link.Target) string) error {
	for _, name := range names {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		left := len(r.report.Left)
		src, ok := r.read(name)
		if !ok || !strings.Contains(string(src), "#") {
			r.report.Left = r.report.Left[:left]
			continue
		}
		s, ok := r.parse(name, src)
		if r.report.Left = r.report.Left[:left]; !ok {
			continue
		}
		page := v.sources[name]
		var edits []write.Edit
		for _, ref := range s.references() {
			t := v.table.From(page, page).Resolve(ref.dest)
			if t.Anchor == "" || t.Page == "" {
				continue
			}
			if to := f(s, ref, t); to != "" {
				edits = append(edits, s.redirect(ref, to)...)
				r.done(name, ref.pos.Line, "%s → %s", ref.dest, to)
			}
		}
		if len(edits) == 0 {
			continue
		}
		if _, err := r.apply(s, s.head, withoutOverlaps(edits)); err != nil {
			return err
		}
	}
	return nil
}

// siteAnchors updates the anchors in addresses of the site file.
func (r *renamer) siteAnchors(v *view, ids map[[2]string]string) error {
	files := r.openSite(v.files)
	for _, f := range files {
		eachText(f.Root, "", []string{"$ref", "variables"}, func(t *jsontree.Value, key string) {
			if !slices.Contains(addressKeys, key) && key != "destination" || !strings.Contains(t.Str, "#") {
				return
			}
			to := v.table.From("index", "index").Resolve("/" + strings.TrimPrefix(t.Str, "/"))
			if id, ok := ids[[2]string{to.Page, to.Anchor}]; ok && !strings.Contains(t.Str, "://") {
				f.replace(t, withAnchor(t.Str, id))
				r.done(f.Name, int(t.Line), "%s → %s", t.Str, withAnchor(t.Str, id))
			}
		})
	}
	_, err := r.closeSite(files)
	return err
}
