package refversion

import (
	"regexp"
	"slices"
	"strings"
)

// Rules select the refs that are versions. The zero value selects none.
type Rules struct {
	// Tags and Branches are patterns for names: * and ? match within a part between slashes, ** matches anything. If a
	// part is in parentheses, it is the name of the version. Otherwise, the version has the whole name of the ref, with
	// - instead of slashes.
	Tags     []string `json:"tags,omitempty"`
	Branches []string `json:"branches,omitempty"`
	// Exclude lists patterns for names of refs or versions to leave out.
	Exclude []string `json:"exclude,omitempty"`
	// Order lists names of versions that come first. The others follow, newest first.
	Order []string `json:"order,omitempty"`
	// Default is the version at the root of the site: a version, an alias, a branch or tag, Stable or Newest. ""
	// means Stable.
	Default string            `json:"default,omitempty"`
	Aliases map[string]string `json:"aliases,omitempty"` // values as in Default
	Limit   int               `json:"limit,omitempty"`   // maximum number of versions; 0 = DefaultLimit
}

// Words that refer to different versions as new tags are added.
const (
	Stable = "stable" // the newest version that is not a prerelease; if there is none, the first version
	Newest = "newest" // the newest version with a number
)

// DefaultLimit is the maximum number of versions unless the rules set another limit. MaxLimit is the highest limit
// that they can set.
const (
	DefaultLimit = 100
	MaxLimit     = 500
)

// IsZero reports whether there are no rules.
func (r Rules) IsZero() bool { return len(r.Tags) == 0 && len(r.Branches) == 0 }

// Matches reports whether a change to a ref, such as refs/tags/v1.2, may change the versions.
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

// FullName returns the full name of a ref from the name that sources use for it. It is the inverse of BranchOf.
func FullName(branch string) string {
	if strings.HasPrefix(branch, "refs/") {
		return branch
	}
	return branchPrefix + branch
}

// BranchOf returns the name that sources use for a ref: the short name of a branch, the full name of a tag.
func BranchOf(ref string) string { return strings.TrimPrefix(ref, branchPrefix) }

// name returns the name of the version that the rules derive from a ref.
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

// Valid reports whether a pattern is valid: it may have at most one pair of parentheses.
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

// compile translates a pattern. The time for a match is bounded by the product of the lengths of the pattern and the
// name.
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
