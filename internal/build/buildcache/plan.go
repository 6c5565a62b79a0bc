package buildcache

import (
	"cmp"
	"slices"
	"time"
)

// The rules by which the folder stays small. They are functions of what is in the folder and of its bound alone.
const (
	together  = 4  // packs of one tier that become one
	tierCount = 4  // tiers: each has packs up to four times the size of those below
	bigPacks  = 64 // packs above the highest tier that the bound has room for; they are not put together

	touchEvery = time.Minute    // a pack's time of use is not written more often
	tempLife   = 24 * time.Hour // since the last write to a temporary file whose process must be gone
)

// tier is that of a pack of so many bytes; tierCount when it is a big one.
func tier(size, bound int64) int {
	limit := bound / bigPacks
	for t := tierCount - 1; t >= 0; t-- {
		if size > limit {
			return t + 1
		}
		limit /= 4
	}
	return 0
}

// merges chooses the packs that a session copies into its own, which has so many bytes without them. After it, no tier
// has more than three packs, so there are at most bigPacks + 3*tierCount, unless many sessions end at once: one copies
// at most an eighth of the bound.
func merges(files []file, own, bound int64) (chosen []file) {
	var copied int64
	for t := range tierCount {
		var members []file
		for _, f := range files {
			if f.isPack() && tier(f.size, bound) == t {
				members = append(members, f)
			}
		}
		n := len(members)
		if own > 0 && tier(own, bound) == t {
			n++
		}
		if n < together {
			continue
		}
		for _, f := range members {
			if copied+f.size <= bound/8 {
				chosen, copied, own = append(chosen, f), copied+f.size, own+f.size
			}
		}
	}
	return chosen
}

// total returns the size of files in bytes.
func total(files []file) (sum int64) {
	for _, f := range files {
		sum += f.size
	}
	return sum
}

// byUse sorts files by their last use, and those used at the same time by age.
func byUse(files []file) []file {
	out := slices.Clone(files)
	slices.SortFunc(out, func(a, b file) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	return out
}

// endangered names the packs that will go first: what is found in them must be copied to stay. There are none while the
// folder is not three quarters full. Those that are not endangered have at most half of the bound, so that there is
// room for copies as large as the other half.
func endangered(files []file, bound int64) map[string]bool {
	left := total(files)
	if left <= bound/4*3 {
		return nil
	}
	out := map[string]bool{}
	for _, f := range byUse(files) {
		if left <= bound/2 {
			break
		}
		if !f.isTemp() {
			out[f.name] = true
			left -= f.size
		}
	}
	return out
}

// evictions chooses the packs that go: those of an endangered kind first, then by last use; those in use by this
// process come last.
func evictions(files []file, bound int64, first, inUse map[string]bool) (out []file) {
	left := total(files)
	list := byUse(files)
	rank := func(f file) int {
		switch {
		case first[f.name]:
			return 0
		case inUse[f.name]:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b file) int { return cmp.Compare(rank(a), rank(b)) })
	for _, f := range list {
		if left <= bound {
			break
		}
		if !f.isTemp() {
			out = append(out, f)
			left -= f.size
		}
	}
	return out
}
