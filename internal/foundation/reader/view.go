package reader

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// View is what readers with the same rights see of a site: each view is a build of its own. The zero value is that of a
// signed-in reader who is in no group, and of every reader of a site that is not protected.
type View struct {
	// Anonymous is a protected site as seen without signing in: only what is public. It has no groups.
	Anonymous bool
	Groups    []string // ordered, each once
}

// Visibility is what an author says about who may see a page or an API operation.
type Visibility struct {
	Public bool     // everybody, also without signing in
	Groups []string // only readers in one of them; empty = every reader who may see the site
}

// New returns the view of a reader in these groups. Empty names are ignored: no reader is in a group without a name.
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

// Split returns the view of a list of groups with commas between them, as on the command line.
func Split(list string) View { return New(strings.Split(list, ",")...) }

// Allows reports whether readers of the view may see something.
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

// Within returns the view without groups that are not among used, which must be ordered: readers whose other groups
// differ see the same.
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

// Largest returns the index of the largest of the given views that v covers, -1 for none. Of several it is the first.
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

// IsZero reports whether it is the view of readers in no group.
func (v View) IsZero() bool { return !v.Anonymous && len(v.Groups) == 0 }

const anonymousKey = "anonymous"

// Key returns the view as text: "" for the zero View. Equal views have equal keys, and Parse reverses it.
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

// Parse returns the view with a key.
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

// String describes the view for people.
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
