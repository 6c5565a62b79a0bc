package maintain

import (
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/foundation/slug"
	"github.com/lectern-docs/lectern/internal/site"
)

// newGroups adds a navigation group for each folder in fresh, which maps folders that are not in the navigation yet to
// their pages. If the navigation is not a plain list of groups, it reports the pages as skipped.
func (j *job) newGroups(v *view, f *siteFile, fresh map[string][]string) {
	nav := f.Root.Get("navigation")
	groups := nav.Get("groups")
	plain := groups.Is(jsontree.List) && len(groups.Items) > 0
	for _, m := range navMembers(nav) {
		plain = plain && (m == "groups" || m == "global")
	}
	for _, dir := range slices.Sorted(maps.Keys(fresh)) {
		if !plain || slices.ContainsFunc(v.site.Nav, func(n *site.Node) bool { return n.Kind.Division() }) {
			for _, page := range fresh[dir] {
				j.left(v.site.Find(page).File, 0, unnamed, noList)
			}
			continue
		}
		last := groups.Items[len(groups.Items)-1]
		start, end := f.Span(last)
		space, alone := f.Indent(start)
		between := " "
		if alone {
			between = f.EOL() + space
		}
		f.insert(end, ","+between+group(slug.Words(dir), fresh[dir], f.Text[start:end], space, f.EOL()))
		j.done(f.Name, int(groups.Line), "added the group %s: %s", slug.Words(dir), strings.Join(fresh[dir], ", "))
	}
}

func navMembers(nav *jsontree.Value) (out []string) {
	if nav != nil {
		for _, m := range nav.Members {
			out = append(out, m.Key)
		}
	}
	return out
}

// group writes a group in the style of another one.
func group(title string, pages []string, like, space, eol string) string {
	names := make([]string, len(pages))
	for i, p := range pages {
		names[i] = quoted(p)
	}
	if !strings.Contains(like, "\n") {
		return `{ "group": ` + quoted(title) + `, "pages": [` + strings.Join(names, ", ") + "] }"
	}
	inner := space + "  "
	if line := strings.SplitN(like, "\n", 3)[1]; strings.TrimLeft(line, " \t") != "" {
		inner = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	}
	deeper := inner + strings.TrimPrefix(inner, space)
	return "{" + eol + inner + `"group": ` + quoted(title) + "," + eol + inner + `"pages": [` + eol + deeper +
		strings.Join(names, ","+eol+deeper) + eol + inner + "]" + eol + space + "}"
}
