package sitediff

import (
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// New splits findings into new ones and those that the base also has. Two findings match if they have the same code,
// file and message; lines do not matter. Each finding of the base matches only one. moves are pages whose source file
// has a new path.
func New(base, head diag.List, moves []Move) (fresh, known diag.List) {
	type key struct{ code, file, message string }
	renamed := map[string]string{}
	for _, m := range moves {
		renamed[m.From.File] = m.To.File
	}
	left := map[key]int{}
	for _, d := range base {
		if to := renamed[d.File]; to != "" {
			d.File = to
		}
		left[key{d.Code, d.File, d.Message}]++
	}
	for _, d := range head {
		k := key{d.Code, d.File, d.Message}
		if left[k] > 0 {
			left[k]--
			known = append(known, d)
		} else {
			fresh = append(fresh, d)
		}
	}
	return fresh, known
}
