package refversion

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Ref is a branch or tag.
type Ref struct {
	Name   string // full name: refs/tags/v1.2
	Commit string // for an annotated tag, the commit it points to, not the tag object
}

// Version is one version of a site.
type Version struct {
	Name   string `json:"name"` // also a segment of URLs, where it needs no escaping
	Ref    string `json:"ref"`
	Commit string `json:"commit"`
	// Prerelease reports whether the name denotes a prerelease, such as v2.0.0-rc.1.
	Prerelease bool `json:"prerelease,omitempty"`
}

// Selection is the result of applying rules to the refs of a repository.
type Selection struct {
	Versions []Version         // in the order for readers
	Default  string            // name of the version at the root; "" = there are no versions
	Aliases  map[string]string // name of an alias → name of a version
	Problems []string          // sentences for the author
}

// nameForm matches valid names of versions. A name is a segment of URLs and is written into pages without escaping.
var nameForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// reserved lists first segments of URLs that a site's server handles itself.
var reserved = []string{"mcp", "login", "logout"}

// ValidName reports whether a version or alias may have the given name.
func ValidName(name string) bool {
	return nameForm.MatchString(name) && !slices.Contains(reserved, name)
}

// Select applies the rules. branch is the branch of the site's own pages. It is the default version of a site that has
// no release.
func (r Rules) Select(refs []Ref, branch string) Selection {
	var s Selection
	by := map[string]Version{}
	for _, ref := range slices.SortedFunc(slices.Values(refs), compareRefs) {
		name, ok := r.name(ref.Name)
		switch other := by[name]; {
		case !ok:
		case !ValidName(name):
			s.problem("%s is left out: %q cannot be part of an address.", Short(ref.Name), name)
		case other.Name != "":
			s.problem("%s is left out: %s has the same version name, %s.", Short(ref.Name), Short(other.Ref), name)
		default:
			n := parse(name)
			by[name] = Version{Name: name, Ref: ref.Name, Commit: ref.Commit, Prerelease: n.pre != ""}
		}
	}
	s.Versions = slices.SortedFunc(maps.Values(by), r.compare)
	s.Default = r.first(s.Versions, branch)
	if r.Default != "" {
		if at, ok := r.resolve(r.Default, s.Versions, 1); ok {
			s.Default = at
		} else if len(s.Versions) > 0 {
			s.problem("The default version %q does not exist; %s takes its place.", r.Default, s.Default)
		}
	}
	s.limit(cmp.Or(min(r.Limit, MaxLimit), DefaultLimit))
	for _, alias := range slices.Sorted(maps.Keys(r.Aliases)) {
		to, ok := r.resolve(r.Aliases[alias], s.Versions, 1)
		switch {
		case !ok:
			s.problem("The alias %q leads to %q, which is not a version.", alias, r.Aliases[alias])
		case by[alias].Name != "":
			s.problem("The alias %q is not used: a version has that name.", alias)
		case !ValidName(alias):
			s.problem("The alias %q cannot be part of an address.", alias)
		default:
			if s.Aliases == nil {
				s.Aliases = map[string]string{}
			}
			s.Aliases[alias] = to
		}
	}
	return s
}

// compareRefs sorts tags before branches, so that the tag is used if a tag and a branch have the same version name.
func compareRefs(a, b Ref) int { return -cmp.Compare(a.Name, b.Name) }

func (s *Selection) problem(format string, args ...any) {
	s.Problems = append(s.Problems, fmt.Sprintf(format, args...))
}

// limit removes versions at the end of the order, but never the default version.
func (s *Selection) limit(most int) {
	if over := len(s.Versions) - most; over > 0 {
		s.problem("%d older versions are left out: the limit is %d.", over, most)
	}
	left := most
	s.Versions = slices.DeleteFunc(s.Versions, func(v Version) bool {
		if v.Name == s.Default {
			return false
		}
		if left--; left < 1 {
			return len(s.Versions) > most
		}
		return false
	})
}

// first returns the version at the root if the rules do not name one: the newest release, otherwise the site's own
// branch, otherwise the first version.
func (r Rules) first(list []Version, branch string) string {
	if at, ok := r.resolve(Stable, list, 0); ok {
		return at
	}
	if at, ok := r.resolve(branch, list, 0); ok {
		return at
	}
	if len(list) > 0 {
		return list[0].Name
	}
	return ""
}

// resolve returns the version that a word of the rules refers to. depth is the number of aliases it may follow.
func (r Rules) resolve(word string, list []Version, depth int) (string, bool) {
	for _, is := range []func(Version) bool{
		func(v Version) bool { return v.Name == word },
		func(v Version) bool { return word != "" && Short(v.Ref) == word },
	} {
		if i := slices.IndexFunc(list, is); i >= 0 {
			return list[i].Name, true
		}
	}
	if to, ok := r.Aliases[word]; ok && depth > 0 {
		return r.resolve(to, list, depth-1)
	}
	best := Version{}
	for _, v := range list {
		n := parse(v.Name)
		if n.parts == nil || word == Stable && v.Prerelease {
			continue
		}
		if best.Name == "" || n.compare(parse(best.Name)) > 0 {
			best = v
		}
	}
	return best.Name, (word == Stable || word == Newest) && best.Name != ""
}

// compare orders versions for readers: first those in Order, then those without a number, then the newest.
func (r Rules) compare(a, b Version) int {
	place := func(v Version) int {
		for i, word := range r.Order {
			if word == v.Name || word == Short(v.Ref) {
				return i
			}
		}
		return len(r.Order)
	}
	x, y := parse(a.Name), parse(b.Name)
	numbered := func(n number) int { return min(len(n.parts), 1) }
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(numbered(x), numbered(y)), y.compare(x),
		natural(a.Name, b.Name), cmp.Compare(a.Name, b.Name))
}

// Digest returns a digest of the refs that the rules choose from. As long as the digest is the same, the versions are
// the same.
func (r Rules) Digest(refs []Ref) string {
	h := sha256.New()
	for _, ref := range slices.SortedFunc(slices.Values(refs), compareRefs) {
		if r.Matches(ref.Name) {
			fmt.Fprintf(h, "%s %s\n", ref.Name, ref.Commit)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
