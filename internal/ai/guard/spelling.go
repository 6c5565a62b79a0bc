package guard

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
)

// minLine is how long a line of a value of several lines must be to be a secret by itself: short ones are armour and
// padding.
const minLine = 24

// maxHex is how long a value may be, in bytes, to be looked for in hex too.
const maxHex = 256

// spellings returns the ways in which a value may turn up in a text.
func spellings(value string) []string {
	var out []string
	add := func(s string) {
		if len(s) >= minKnown {
			out = append(out, s)
		}
	}
	bare := strings.TrimSpace(value)
	for _, v := range []string{value, bare} {
		if len(v) < minKnown {
			continue
		}
		add(v)
		add(url.QueryEscape(v))
		add(url.PathEscape(v))
		add(strings.ToLower(url.QueryEscape(v)))
		add(html.EscapeString(v))
		if len(v) <= maxHex {
			add(hex.EncodeToString([]byte(v)))
			add(strings.ToUpper(hex.EncodeToString([]byte(v))))
		}
		if quoted, err := json.Marshal(v); err == nil {
			add(strings.Trim(string(quoted), `"`))
		}
		out = append(out, encoded(v)...)
	}
	if strings.Contains(bare, "\n") {
		for line := range strings.Lines(bare) {
			if line = strings.TrimSpace(line); len(line) >= minLine && !strings.HasPrefix(line, "-----") {
				add(line)
			}
		}
	}
	return out
}

// encoded returns the value in base64, at each of the three places that it can have in a longer text that was encoded
// whole. Only the characters that the value alone decides are kept.
func encoded(value string) []string {
	var out []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			s := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			from := (shift*8 + 5) / 6                 // characters with bits from before
			to := (shift + len(value)) * 8 / 6        // characters with all bits from here
			if s = s[from:to]; len(s) >= minKnown+2 { // shorter ones are found everywhere
				out = append(out, s)
			}
		}
	}
	return out
}
