package sitediff

import (
	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// New splits findings into new ones and those that the base also has. Findings match by code, file and message, but
// not by line, and as often as the base has them. moves are pages with a new file.
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
