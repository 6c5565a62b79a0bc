package didyoumean

import (
	"iter"
	"strings"
)

// maxWord is the length in bytes from which a word is nobody's typing mistake: longer ones are near to nothing.
const maxWord = 200

// Word is the candidate that is nearest to word, or "" when none is near enough to be what was meant. Letter case counts for nothing
// between words and decides nothing between candidates; of equally near candidates the first in the order of the alphabet is taken.
func Word(word string, candidates iter.Seq[string]) string {
	best, least := "", Reach(word)+1
	lower := strings.ToLower(word)
	for c := range candidates {
		d := Distance(lower, strings.ToLower(c), least+1)
		if d < least || d == least && best != "" && c < best {
			best, least = c, d
		}
	}
	return best
}

// Reach is how many edits may lie between a word and what was meant by it.
func Reach(word string) int { return max(2, len(word)/3) }

// Distance counts the insertions, deletions and substitutions of bytes that turn a into b. It stops counting at limit.
func Distance(a, b string, limit int) int {
	if len(a) > maxWord || len(b) > maxWord || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit)
}
