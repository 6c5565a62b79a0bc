package refversion

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// number is the name of a version in a form that can be ordered. Tags are rarely strict semantic versions (1.2,
// 2024-04-01, go1.22, release-3), so any sequence of numbers is accepted. The rest is a prerelease, ordered as in
// semantic versioning, except that numbers inside words count too: rc10 follows rc9.
type number struct {
	parts []int64 // nil = no number in the name
	pre   string
}

var (
	semantic   = lazyregexp.New(`^v?([0-9]{1,18}\.[0-9]{1,18}\.[0-9]{1,18})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$`)
	numberForm = lazyregexp.New(`^(?:[A-Za-z_-]*[^0-9A-Za-z])?([A-Za-z]*)([0-9]{1,18}(?:[._-][0-9]{1,18})*)` +
		`(?:\.[xX])?(?:[-_.]?([A-Za-z][0-9A-Za-z.-]*))?(?:\+.*)?$`)
	// early lists words before a number that mark a prerelease
	early = []string{"alpha", "beta", "rc", "pre", "preview", "dev", "nightly", "snapshot", "canary", "test"}
)

func parse(name string) (n number) {
	digits := ""
	if m := semantic.FindStringSubmatch(name); m != nil {
		digits, n.pre = m[1], m[2]
	} else if m := numberForm.FindStringSubmatch(name); m != nil && !slices.Contains(early, strings.ToLower(m[1])) {
		digits, n.pre = m[2], m[3]
	}
	for part := range strings.FieldsFuncSeq(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		v, _ := strconv.ParseInt(part, 10, 64) // at most eighteen digits
		n.parts = append(n.parts, v)
	}
	return n
}

func (n number) compare(o number) int {
	for i := range max(len(n.parts), len(o.parts)) {
		if c := cmp.Compare(at(n.parts, i), at(o.parts, i)); c != 0 {
			return c
		}
	}
	if n.pre == "" || o.pre == "" { // a release is newer than its prereleases
		return cmp.Compare(o.pre, n.pre)
	}
	return slices.CompareFunc(strings.Split(n.pre, "."), strings.Split(o.pre, "."), comparePart)
}

func comparePart(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Compare(x, y)
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return natural(a, b)
}

// natural compares strings by letters, and by the values of numbers in them: a9 comes before a10.
func natural(a, b string) int {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		a, b = a[len(x):], b[len(y):]
		c := cmp.Compare(x, y)
		if digit(x[0]) && digit(y[0]) {
			v, w := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			c = cmp.Or(cmp.Compare(len(v), len(w)), cmp.Compare(v, w))
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(a, b)
}

// leading returns the digits at the start of s, or the characters up to the first digit.
func leading(s string) string {
	if i := strings.IndexFunc(s, func(r rune) bool { return digit(byte(min(r, 0x7f))) != digit(s[0]) }); i > 0 {
		return s[:i]
	}
	return s
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// at returns a part of a number, or 0 if it does not exist.
func at(parts []int64, i int) int64 {
	if i < len(parts) {
		return parts[i]
	}
	return 0
}
