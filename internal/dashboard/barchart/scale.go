package barchart

import (
	"fmt"
	"strconv"
	"strings"
)

// ticks returns the values of the horizontal lines, from 0 to a value that is at least most: at most four above 0,
// with steps of 1, 2 or 5 times a power of ten.
func ticks(most int64) []int64 {
	step := int64(1)
	for i := 0; step*4 < most; i++ {
		step = step * []int64{2, 5, 10}[i%3] / []int64{1, 2, 5}[i%3]
	}
	out := []int64{0}
	for out[len(out)-1] < most {
		out = append(out, out[len(out)-1]+step)
	}
	if len(out) == 1 { // all zero: one empty row
		out = append(out, 1)
	}
	return out
}

// Number formats a count with thousands separators.
func Number(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// brief formats a count in few characters: 950, 1.5k, 12k, 3M.
func brief(n int64) string {
	for _, u := range []struct {
		unit int64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= u.unit {
			return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(u.unit)), ".0") + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}
