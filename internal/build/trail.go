package build

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// trail is the path in the navigation to a page.
type trail struct {
	node *site.Node
	up   *trail // nil at the top
}

// languageNode returns the language node on a trail, or nil.
func (t *trail) languageNode() *site.Node {
	for ; t != nil; t = t.up {
		if t.node.Kind == site.KindLanguage {
			return t.node
		}
	}
	return nil
}

// language returns the language tag of a trail for browsers and search engines, or "".
func (t *trail) language() string {
	if n := t.languageNode(); n != nil {
		return i18n.Tag(n.Title)
	}
	return ""
}

// hidden reports whether a node on the trail is hidden.
func (t *trail) hidden() bool {
	for ; t != nil; t = t.up {
		if t.node.Hidden {
			return true
		}
	}
	return false
}

// section returns the list section that a page belongs to: the divisions and the outermost group on its trail.
func (t *trail) section() string {
	var names []string
	group := ""
	for up := t; up != nil; up = up.up {
		switch k := up.node.Kind; {
		case up.node.Title == "" || k == site.KindLanguage || k == site.KindVersion || k == site.KindPage:
		case k == site.KindGroup:
			group = up.node.Title
		default:
			names = append(names, up.node.Title)
		}
	}
	slices.Reverse(names)
	if group != "" {
		names = append(names, group)
	}
	if len(names) == 0 {
		return "Docs"
	}
	return strings.Join(names, " / ")
}

// crumbs returns the titles of a page's ancestors, outermost first, without languages, because a reader sees only
// one language at a time.
func (t *trail) crumbs() (out []string) {
	for ; t != nil; t = t.up {
		if n := t.node; n.Title != "" && n.Kind != site.KindPage && n.Kind != site.KindLanguage {
			out = append(out, n.Title)
		}
	}
	slices.Reverse(out)
	return out
}
