package guard

import (
	"strings"
)

const (
	minValue  = 16   // minimum length, in bytes, of a value without a known format that may be a secret
	maxValue  = 512  // longer values are not keys
	minChance = 3.25 // bits per byte
)

// secretNames occur in names of variables and headers that hold secrets, in lower case and without separators.
var secretNames = []string{"secret", "apikey", "accesskey", "authkey", "privatekey", "signingkey", "encryptionkey",
	"masterkey", "servicekey", "password",
	"passwd", "passphrase", "credential", "authorization", "bearer", "token", "pwd", "accountkey", "authtoken"}

// openNames occur in names of values that may be public: the public half of a key, a position in a list, a
// cryptocurrency.
var openNames = []string{"public", "publishable", "page", "next", "cursor", "address", "contract", "mint", "hash",
	"name", "url", "uri", "path", "count",
	"limit", "type", "symbol", "example", "csrf", "checksum", "digest", "continuation", "sitekey", "anon", "tokenid",
	"secretid", "keyid", "pair", "coin",
	"erc20", "projecttoken"}

// assignment finds a random-looking value after a name that indicates a secret: NAME=value, "name": "value", Name:
// Bearer value.
func (s *secretScanner) assignment(i int) {
	from := s.valueAfter(i)
	if from < 0 {
		return
	}
	to := s.run(loose, from)
	if n := to - from; n < minValue || n > maxValue ||
		to < len(s.text) && strings.IndexByte("({$<[:@%", s.text[to]) >= 0 {
		return
	}
	if strings.HasSuffix(s.text[:to], "..") || strings.HasPrefix(s.text[to:], "…") ||
		strings.HasPrefix(s.text[from:], "phc_") {
		return // cut off with an ellipsis, or a PostHog project key, which every visitor can see
	}
	for to > from && strings.IndexByte(".-_~", s.text[to-1]) >= 0 {
		to--
	}
	if value := s.text[from:to]; secretName(s.nameBefore(i)) && drawn(value) && !placeholder(value) {
		s.add(from, to, "a secret assigned to a name")
	}
}

// valueAfter returns where the value after the separator at i starts, or -1 if the line has no value.
func (s *secretScanner) valueAfter(i int) int {
	rest := s.text[i+1 : min(len(s.text), i+24)]
	at := len(rest) - len(strings.TrimLeft(rest, " \t=>"))
	if at > 6 {
		return -1
	}
	for at < len(rest) && strings.IndexByte("\"'`\\", rest[at]) >= 0 {
		at++
	}
	for _, scheme := range []string{"Bearer ", "bearer ", "Basic ", "Token ", "token "} {
		if strings.HasPrefix(rest[at:], scheme) {
			at += len(scheme)
		}
	}
	if at == len(rest) || !alnum.in(rest[at]) && rest[at] != '+' && rest[at] != '/' {
		return -1
	}
	return i + 1 + at
}

// nameBefore returns the name before the separator at i, without quotes and brackets.
func (s *secretScanner) nameBefore(i int) string {
	const longest = 64
	before := strings.TrimRight(s.text[max(0, i-longest):i], " \t\"'`]\\")
	from := len(before)
	for from > 0 && dotted.in(before[from-1]) {
		from--
	}
	return before[from:]
}

var separators = strings.NewReplacer("-", "", "_", "", ".", "")

func secretName(name string) bool {
	name = strings.ToLower(separators.Replace(name))
	has := func(list []string) bool {
		for _, w := range list {
			if strings.Contains(name, w) {
				return true
			}
		}
		return false
	}
	return name != "" && has(secretNames) && !has(openNames) && !strings.HasSuffix(name, "id")
}

// drawn reports whether a value looks random: letters and digits are mixed without the patterns of names, paths and
// versions.
func drawn(value string) bool {
	digits, letters, turns, last := 0, 0, 0, byte(0)
	for i := range len(value) {
		kind := byte('-')
		switch b := value[i]; {
		case b >= '0' && b <= '9':
			digits, kind = digits+1, '0'
		case b >= 'a' && b <= 'z':
			letters, kind = letters+1, 'a'
		case b >= 'A' && b <= 'Z':
			letters, kind = letters+1, 'A'
		}
		if i > 0 && kind != last && kind != '-' && last != '-' {
			turns++
		}
		last = kind
	}
	return digits >= 1 && letters >= 4 && turns*4 >= len(value) && entropy(value) >= minChance && !uuid(value) &&
		!strings.HasPrefix(value, "0x")
}

// uuid reports whether s has the usual form of a UUID: 8-4-4-4-12.
func uuid(s string) bool {
	return len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-'
}

// mixed reports whether s has lower-case letters, capital letters and digits.
func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s && strings.ToUpper(s) != s
}
