package refversion

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// number is a version's name as it is ordered. Tags are rarely strict semantic versions (1.2, 2024.04, release-3), so any
// sequence of numbers counts; what follows is a prerelease, ordered by the rules of semantic versions.
type number struct {
	parts []int // nil = the name has no number
	pre   string
}

var numberForm = regexp.MustCompile(`^(?:[A-Za-z_-]*[^0-9A-Za-z])?[A-Za-z]?([0-9]{1,9}(?:\.[0-9]{1,9})*)(?:\.[xX])?(?:[-_.]?([A-Za-z][0-9A-Za-z.-]*))?(?:\+.*)?$`)

func parse(name string) (n number) {
	m := numberForm.FindStringSubmatch(name)
	if m == nil {
		return n
	}
	for part := range strings.SplitSeq(m[1], ".") {
		v, _ := strconv.Atoi(part) // nine digits at most
		n.parts = append(n.parts, v)
	}
	n.pre = m[2]
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
	return cmp.Compare(a, b)
}

// at returns a part of a number; those that it does not have are 0.
func at(parts []int, i int) int {
	if i < len(parts) {
		return parts[i]
	}
	return 0
}
