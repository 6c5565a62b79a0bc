package searchindex

import "slices"

// Words of a query that are near each other. web/theme/src/search/rank.ts computes the same numbers: change both.

// Gains of a chunk whose text has all words of the query next to each other: nearWorth for the pairs of words, and
// denseWorth for how few other words are among them. unreadWorth is the gain of a chunk that has all words, but whose
// text was not read.
const (
	nearWorth   = 0.8
	denseWorth  = 0.8
	unreadWorth = 0.3
)

// Words that are near each other, in any order, count for less than neighbours.
const (
	nearMost  = 5 // maximum number of words between them
	nearShare = 0.5
)

// nearness returns the gain of text, which depends on how near the words of the query are to each other.
func nearness(text string, units []*unit) float64 {
	var order []int
	for i, u := range units {
		if !u.optional && !u.weak {
			order = append(order, i)
		}
	}
	if len(order) < 2 {
		return 0
	}
	words, _ := sequence(text, units, false)
	pairs := 0.0
	for k := 0; k+1 < len(order); k++ {
		pairs += together(words, order[k], order[k+1])
	}
	return float64(nearWorth*pairs/float64(len(order)-1)) + float64(denseWorth*density(words, units))
}

// likelyNearness estimates the nearness of text that was not read. If the estimate were 0, pages whose text fits into
// the budget would rank above better pages whose text does not.
func likelyNearness(chunk int, units []*unit) float64 {
	words, all, has := 0, 0, 0
	for _, u := range units {
		if u.optional || u.weak {
			continue
		}
		words++
		if all += u.rarity; u.weight[chunk] > 0 {
			has += u.rarity
		}
	}
	if words < 2 || all == 0 {
		return 0
	}
	return unreadWorth * float64(has) / float64(all)
}

// density returns the number of words of a query divided by the length, in words, of the shortest passage that contains
// all of them: 1 if no other words are among them, 0 if the text lacks one. Text with only some of the words must not
// gain anything. Otherwise, pages would rank too low if the words are in their description, which is not part of the
// text.
func density(words []int, units []*unit) float64 {
	seen, kinds := make([]int, len(units)), 0
	for i, u := range units {
		if u.optional {
			continue
		}
		if kinds++; !slices.Contains(words, i) {
			return 0
		}
	}
	shortest, start, inside := len(words), 0, 0
	for end, w := range words {
		if w < 0 {
			continue
		}
		if seen[w]++; seen[w] == 1 {
			inside++
		}
		for inside == kinds {
			shortest = min(shortest, end+1-start)
			if first := words[start]; first >= 0 {
				if seen[first]--; seen[first] == 0 {
					inside--
				}
			}
			start++
		}
	}
	return float64(kinds) / float64(shortest)
}

// together returns 1 if one word follows another with at most one other word between them, nearShare if both are near
// each other, otherwise 0.
func together(words []int, one, other int) (best float64) {
	for i, w := range words {
		if w != one {
			continue
		}
		if i+1 < len(words) && (words[i+1] == other || words[i+1] < 0 && i+2 < len(words) && words[i+2] == other) {
			return 1
		}
		if slices.Contains(words[max(0, i-nearMost):min(len(words), i+1+nearMost)], other) {
			best = nearShare
		}
	}
	return best
}
