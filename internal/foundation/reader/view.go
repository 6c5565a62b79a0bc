package reader

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// View is the part of a site that readers with the same permissions see. Each view has its own build. The zero value is
// the view of a signed-in reader without groups, and of every reader of an unprotected site.
type View struct {
	// Anonymous means the view of a protected site for readers who have not signed in: only its public parts. It has no
	// groups.
	Anonymous bool
	Groups    []string // sorted, without duplicates
}

// Visibility is an author's setting for who may see a page or an API operation.
type Visibility struct {
	Public bool     // everyone, even without signing in
	Groups []string // only readers in one of these groups; empty = every reader who may see the site
}

// New returns the view of a reader in the given groups. It ignores empty names, because no reader is in a group without
// a name.
func New(groups ...string) View {
	var names []string
	for _, g := range groups {
		if g = strings.TrimSpace(g); g != "" {
			names = append(names, g)
		}
	}
	slices.Sort(names)
	return View{Groups: slices.Compact(names)}
}

// Split returns the view for a comma-separated list of groups, as on the command line.
func Split(list string) View { return New(strings.Split(list, ",")...) }

// Allows reports whether readers of the view may see a part with this visibility.
func (v View) Allows(x Visibility) bool {
	switch {
	case x.Public:
		return true
	case v.Anonymous:
		return false
	case len(x.Groups) == 0:
		return true
	}
	return slices.ContainsFunc(x.Groups, func(g string) bool {
		_, in := slices.BinarySearch(v.Groups, strings.TrimSpace(g))
		return in
	})
}

// Within returns the view reduced to the groups in used, which must be sorted. Readers whose other groups differ
// see the same site.
func (v View) Within(used []string) View {
	out := View{Anonymous: v.Anonymous}
	for _, g := range v.Groups {
		if _, ok := slices.BinarySearch(used, g); ok {
			out.Groups = append(out.Groups, g)
		}
	}
	return out
}

// Covers reports whether readers of v may see everything that readers of other may see.
func (v View) Covers(other View) bool {
	if other.Anonymous || v.Anonymous {
		return other.Anonymous
	}
	for _, g := range other.Groups {
		if _, ok := slices.BinarySearch(v.Groups, g); !ok {
			return false
		}
	}
	return true
}

// Largest returns the index of the largest of the views that v covers, or -1. If several are equally large, it
// returns the first.
func (v View) Largest(views []View) int {
	best := -1
	for i, w := range views {
		if !v.Covers(w) {
			continue
		}
		if best < 0 || views[best].Anonymous && !w.Anonymous || len(w.Groups) > len(views[best].Groups) {
			best = i
		}
	}
	return best
}

// IsZero reports whether this is the view of signed-in readers without groups.
func (v View) IsZero() bool { return !v.Anonymous && len(v.Groups) == 0 }

const anonymousKey = "anonymous"

// Key returns the view as text, "" for the zero View. Equal views have equal keys. Parse is the inverse.
func (v View) Key() string {
	if v.Anonymous {
		return anonymousKey
	}
	if len(v.Groups) == 0 {
		return ""
	}
	escaped := make([]string, len(v.Groups))
	for i, g := range v.Groups {
		escaped[i] = url.QueryEscape(g)
	}
	return "groups=" + strings.Join(escaped, ",")
}

// Parse converts a key to the view.
func Parse(key string) (View, error) {
	if key == "" {
		return View{}, nil
	}
	if key == anonymousKey {
		return View{Anonymous: true}, nil
	}
	list, ok := strings.CutPrefix(key, "groups=")
	if !ok {
		return View{}, fmt.Errorf("parse view %q: unknown form", key)
	}
	var names []string
	for _, escaped := range strings.Split(list, ",") {
		name, err := url.QueryUnescape(escaped)
		if err != nil {
			return View{}, fmt.Errorf("parse view %q: %w", key, err)
		}
		names = append(names, name)
	}
	return New(names...), nil
}

// String returns a description of the view for people.
func (v View) String() string {
	switch {
	case v.Anonymous:
		return "readers who have not signed in"
	case len(v.Groups) == 0:
		return "readers in no group"
	case len(v.Groups) == 1:
		return "readers in the group " + v.Groups[0]
	}
	return "readers in the groups " + strings.Join(v.Groups, ", ")
}
