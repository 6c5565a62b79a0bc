package export

import (
	"cmp"
	"slices"
	"time"
)

// KeepNewest is how many exports of each domain are kept even if the quota is exceeded.
const KeepNewest = 3

// Stored is a completed export whose bundles still exist.
type Stored struct {
	ID        string
	Domain    string
	EndedAt   time.Time
	LinkUntil time.Time // zero = there was no link
	Bundles   []Bundle
}

// linked reports whether a download link is still valid.
func (s Stored) linked(now time.Time) bool { return s.LinkUntil.After(now) }

// Expired lists the exports whose retention period is over. An export with a valid link is kept.
func (l Limits) Expired(all []Stored, now time.Time) []Stored {
	var out []Stored
	for _, s := range all {
		if l.KeepFor > 0 && s.EndedAt.Before(now.Add(-l.KeepFor)) && !s.linked(now) {
			out = append(out, s)
		}
	}
	return out
}

// MakeRoom chooses exports of one organization to expire, oldest first, until size more bytes fit under MaxStored. It
// keeps the KeepNewest newest exports of each domain, counting the new export of domain, and exports with a valid link.
// ok is false if the others do not free enough space.
func (l Limits) MakeRoom(all []Stored, domain string, size int64, now time.Time) (out []Stored, ok bool) {
	if l.MaxStored == 0 {
		return nil, true
	}
	users := map[string]int{} // blob → number of exports that use it
	total := size
	for _, s := range all {
		for _, b := range s.Bundles {
			if users[b.Key]++; users[b.Key] == 1 {
				total += b.Size
			}
		}
	}
	for _, s := range l.spare(all, domain, now) {
		if total <= l.MaxStored {
			break
		}
		out = append(out, s)
		for _, b := range s.Bundles {
			if users[b.Key]--; users[b.Key] == 0 {
				total -= b.Size
			}
		}
	}
	return out, total <= l.MaxStored
}

// spare lists the exports that may expire, oldest first.
func (l Limits) spare(all []Stored, coming string, now time.Time) []Stored {
	newest := slices.SortedFunc(slices.Values(all), func(a, b Stored) int {
		return cmp.Or(b.EndedAt.Compare(a.EndedAt), cmp.Compare(b.ID, a.ID))
	})
	seen := map[string]int{coming: 1}
	var out []Stored
	for _, s := range newest {
		if seen[s.Domain]++; seen[s.Domain] > KeepNewest && !s.linked(now) {
			out = append(out, s)
		}
	}
	slices.Reverse(out)
	return out
}
