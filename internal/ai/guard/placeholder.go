package guard

import (
	"math"
	"strings"
)

// maxSecret limits how much of a secret is examined, in bytes.
const maxSecret = 4096

// fakes are words that people use in examples. They are long enough not to occur by accident in random letters.
var fakes = []string{"xxxx", "....", "****", "####", "____", "----", "example", "sample", "your", "placeholder",
	"dummy", "fake", "changeme",
	"change_me", "change-me", "redacted", "insert", "replace", "qwerty", "1a2b3", "a1b2c", "secret", "password",
	"token", "apikey", "api_key", "api-key",
	"goes_here", "goeshere", "here", "foobar", "todo", "never", "truncated", "snip", "hidden", "masked", "demo", "test"}

// rows are sequences that people type as made-up digits. Hexadecimal ones must be longer, because there are only
// sixteen digits.
var rows = []string{"000000", "111111", "aaaaaa", "abcdef", "123456", "987654", "deadbeef", "cafebabe"}

// placeholder reports whether the body of a key looks made up: it contains a word, a sequence, or too few different
// characters.
func placeholder(body string) bool {
	lower := strings.ToLower(body)
	short := 4
	if strings.Trim(lower, "0123456789abcdef") == "" {
		short = 6
	}
	for _, f := range rows {
		if strings.Contains(lower, f[:min(len(f), short)]) {
			return true
		}
	}
	for _, f := range fakes {
		if strings.Contains(lower, f) {
			return true
		}
	}
	return inRow(lower) || entropy(body) < 2.8
}

// inRow reports whether many bytes continue a sequence, as in abcdef, 123456 or a1b2c3.
func inRow(s string) bool {
	rows, pairs := 0, 0
	for i := 1; i < len(s); i++ {
		if s[i] == s[i-1]+1 || s[i] == s[i-1] {
			rows++
		}
		if i > 1 && s[i] == s[i-2]+1 {
			pairs++
		}
	}
	return len(s) > 8 && (rows*3 > len(s) || pairs*2 > len(s))
}

// entropy returns the Shannon entropy in bits per byte.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			p := float64(n) / float64(len(s))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
