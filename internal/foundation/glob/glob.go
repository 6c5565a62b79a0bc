// Package glob matches paths against patterns with *, ?, [ ] and **.
//
// Inputs: a pattern and a path, both split at slashes. Outputs: whether the path matches. It never reads folders, and
// the time it takes is bounded by the product of both lengths.
package glob

import "path"

// Match reports whether pieces, the parts of a path between slashes, match the pattern. "**" matches any number of
// pieces, including none. Each other part is a pattern for one piece, as in path.Match. An invalid pattern matches
// nothing.
func Match(pattern, pieces []string) bool {
	p, i, star, taken := 0, 0, -1, 0 // after a mismatch, only the last "**" takes one more piece
	for i < len(pieces) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, taken = p, i
			p++
		case p < len(pattern) && fits(pattern[p], pieces[i]):
			p, i = p+1, i+1
		case star >= 0:
			taken++
			p, i = star+1, taken
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

func fits(pattern, piece string) bool {
	ok, err := path.Match(pattern, piece)
	return err == nil && ok
}
