package refversion

import (
	"regexp"
	"slices"
	"strings"
)

// Rules say which refs are versions. The zero value has none.
type Rules struct {
	// Tags and Branches are patterns of names: * and ? match within a part between slashes, ** matches any. A part in
	// parentheses is the version's name; without them the whole name is, with - for each slash.
	Tags     []string `json:"tags,omitempty"`
	Branches []string `json:"branches,omitempty"`
	// Exclude are patterns of names of refs or versions that are left out.
	Exclude []string `json:"exclude,omitempty"`
	// Order are names of versions that come first; the others follow, newest first.
	Order []string `json:"order,omitempty"`
	// Default is the version at the root of the site: a version, an alias, a branch or tag, Stable or Newest;
	// "" = Stable.
	Default string            `json:"default,omitempty"`
	Aliases map[string]string `json:"aliases,omitempty"` // values as Default
	Limit   int               `json:"limit,omitempty"`   // versions at most; 0 = DefaultLimit
}

// Words for versions that a new tag moves.
const (
	Stable = "stable" // the newest version that is not a prerelease; without any, the first
	Newest = "newest" // the newest version with a number
)

// DefaultLimit is how many versions a site has unless its rules have another limit, and MaxLimit the highest one.
const (
	DefaultLimit = 100
	MaxLimit     = 500
)

// IsZero reports whether there are no rules.
func (r Rules) IsZero() bool { return len(r.Tags) == 0 && len(r.Branches) == 0 }

// Matches reports whether a change of a ref, such as refs/tags/v1.2, may change the versions.
func (r Rules) Matches(ref string) bool {
	_, ok := r.name(ref)
	return ok
}

const (
	tagPrefix    = "refs/tags/"
	branchPrefix = "refs/heads/"
)

// Short returns the name of a ref without refs/tags/ or refs/heads/.
func Short(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, tagPrefix), branchPrefix)
}

// FullName returns the ref that sources name: the reverse of BranchOf.
func FullName(branch string) string {
	if strings.HasPrefix(branch, "refs/") {
		return branch
	}
	return branchPrefix + branch
}

// BranchOf returns how sources name a ref: branches by their short name, tags in full.
func BranchOf(ref string) string { return strings.TrimPrefix(ref, branchPrefix) }

// name returns the version's name that the rules give a ref.
func (r Rules) name(ref string) (string, bool) {
	patterns := r.Branches
	short, tag := strings.CutPrefix(ref, tagPrefix)
	if tag {
		patterns = r.Tags
	} else if short, tag = strings.CutPrefix(ref, branchPrefix); !tag {
		return "", false
	}
	for _, p := range patterns {
		name, ok := match(p, short)
		if !ok {
			continue
		}
		excludes := func(p string) bool {
			_, ofRef := match(p, short)
			_, ofName := match(p, name)
			return ofRef || ofName
		}
		return name, !slices.ContainsFunc(r.Exclude, excludes)
	}
	return "", false
}

// Valid reports whether a pattern can be used: parentheses that belong together, one pair at most.
func Valid(pattern string) bool {
	_, err := compile(pattern)
	return err == nil && pattern != "" && len(pattern) <= 250 && strings.Count(pattern, "(") <= 1
}

func match(pattern, short string) (name string, ok bool) {
	re, err := compile(pattern)
	if err != nil {
		return "", false
	}
	m := re.FindStringSubmatch(short)
	if m == nil {
		return "", false
	}
	name = m[0]
	if len(m) > 1 {
		name = m[1]
	}
	return strings.ReplaceAll(name, "/", "-"), true
}

// compile translates a pattern. The time that its matches take is bounded by the product of both lengths.
func compile(pattern string) (*regexp.Regexp, error) {
	var out strings.Builder
	out.WriteString("^")
	for rest := pattern; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			out.WriteString(".*")
			rest = rest[1:]
		case rest[0] == '*':
			out.WriteString("[^/]*")
		case rest[0] == '?':
			out.WriteString("[^/]")
		case rest[0] == '(' || rest[0] == ')':
			out.WriteByte(rest[0])
		default:
			out.WriteString(regexp.QuoteMeta(rest[:1]))
		}
		rest = rest[1:]
	}
	return regexp.Compile(out.String() + "$")
}
