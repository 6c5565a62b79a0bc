package buildcache

import (
	"cmp"
	"slices"
	"time"
)

// The rules that keep the folder small. They depend only on the content of the folder and on its limit.
const (
	together  = 4  // number of packs of one tier that are merged
	tierCount = 4  // number of tiers: its packs are up to four times the size of those one tier below
	bigPacks  = 64 // maximum number of packs above the highest tier that fit into the limit; they are not merged

	touchEvery = time.Minute    // minimum interval between updates of a pack's last-use time
	tempLife   = 24 * time.Hour // since the last write to a temporary file; then its process must have ended
)

// tier returns the tier of a pack with a size in bytes, or tierCount for a big pack.
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

// merges selects the packs that a session copies into its own pack, which has own bytes before that. Afterwards, no
// tier has more than three packs, so there are at most bigPacks + 3*tierCount packs, unless many sessions end at the
// same time. A session copies at most an eighth of the limit.
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

// byUse sorts files by their last use, and by age if that is equal.
func byUse(files []file) []file {
	out := slices.Clone(files)
	slices.SortFunc(out, func(a, b file) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	return out
}

// endangered returns the packs that will be removed first. A record in such a pack must be copied in order to be kept.
// There are none unless the folder is three quarters full. The packs that are not endangered take at most half of the
// limit, so that there is room for copies in the other half.
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

// evictions selects the packs to remove: first those in the set first, then the least recently used ones, and last
// those that this process uses.
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
