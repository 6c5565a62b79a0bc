package guard

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"net/url"
	"strings"
)

// minLine is the minimum length of a line that counts as a secret by itself in a value of several lines: shorter
// lines are armour and padding.
const minLine = 24

// maxHex is the maximum length of a value, in bytes, that is also searched for in hex.
const maxHex = 256

// spellings returns the encodings in which a value may occur in a text.
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

// encoded returns the value in base64 at each of the three possible offsets within a longer encoded text. It keeps
// only the characters that depend on the value alone.
func encoded(value string) []string {
	var out []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			s := enc.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
			from := (shift*8 + 5) / 6                 // excludes characters with bits from before
			to := (shift + len(value)) * 8 / 6        // excludes characters with bits from after
			if s = s[from:to]; len(s) >= minKnown+2 { // shorter values would occur everywhere
				out = append(out, s)
			}
		}
	}
	return out
}
