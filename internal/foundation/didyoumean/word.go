package didyoumean

import (
	"iter"
	"strings"
)

// maxWord is the maximum length of a word in bytes. Longer words have no suggestion.
const maxWord = 200

// Word returns the candidate nearest to word, or "" if none is near enough. It ignores letter case. If several
// candidates are equally near, it returns the alphabetically first.
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

// Reach returns the maximum edit distance of a suggestion for a word.
func Reach(word string) int { return max(2, len(word)/3) }

// Distance returns the number of insertions, deletions and substitutions of bytes that change a into b, or limit if
// there are at least that many.
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
