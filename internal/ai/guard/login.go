package guard

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// login finds a password in an address: scheme://user:password@host. i is the position of its first colon.
func (s *secretScanner) login(i int) {
	const longest = 400
	rest, ok := strings.CutPrefix(s.text[i:min(len(s.text), i+longest)], "://")
	if !ok || i == 0 || !alnum.in(s.text[i-1]) {
		return
	}
	if end := strings.IndexAny(rest, "/?# \t\r\n\"'<>`|\\"); end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return
	}
	user, password, ok := strings.Cut(rest[:at], ":")
	host, _, _ := strings.Cut(rest[at+1:], ":")
	if !ok || len(password) < 8 || strings.ContainsAny(password, "${}[]()*") || strings.EqualFold(user, password) ||
		!strings.Contains(host, ".") ||
		reserved(host) ||
		!strings.ContainsAny(password, "0123456789") || placeholder(password) && entropy(password) < 3.6 ||
		madeUp(password) {
		return
	}
	from := i + len("://") + len(user) + 1
	s.add(from, from+len(password), "a password in an address")
}

var digitsAsLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "$", "s", "@", "a", "_", "",
	"-", "")

// madeUp reports whether a password is a placeholder, including forms in which digits replace letters.
func madeUp(password string) bool {
	plain := digitsAsLetters.Replace(strings.ToLower(password))
	for _, w := range []string{"password", "passwd", "secret", "example", "your", "changeme", "pass", "test", "sample",
		"token", "apikey"} {
		if strings.Contains(plain, w) {
			return true
		}
	}
	return false
}

// privateKey finds the private half of a key pair in its usual armour, including on one line with \n as line ends.
func (s *secretScanner) privateKey(i int) {
	const begin, longest = "-----BEGIN ", 60
	if !strings.HasPrefix(s.text[i:], begin) {
		return
	}
	head := s.text[i+len(begin) : min(len(s.text), i+len(begin)+longest)]
	label, _, ok := strings.Cut(head, "-----")
	if !ok || !strings.Contains(label, "PRIVATE KEY") {
		return
	}
	from := i + len(begin) + len(label) + len("-----")
	to := len(s.text)
	if end := strings.Index(s.text[from:], "-----"); end >= 0 {
		to = from + end
	}
	body := strings.Map(keyBytes, strings.ReplaceAll(s.text[from:to], `\n`, ""))
	if len(body) < 60 || entropy(body) < 4 || strings.Contains(s.text[from:to], "...") ||
		strings.Contains(strings.ToLower(body), "xxxx") {
		return
	}
	if strings.HasPrefix(s.text[to:], "-----END ") {
		to = min(len(s.text), to+len("-----END ")+len(label)+len("-----"))
	}
	s.add(i, to, "a private key")
}

// keyBytes maps runes that a key cannot contain to -1.
func keyBytes(r rune) rune {
	if r < 128 && radix64.in(byte(r)) && r != '-' && r != '_' {
		return r
	}
	return -1
}

// webToken finds a signed token of three parts (JWT) whose first part is a header. Tokens for a well-known sample user
// count as examples.
func (s *secretScanner) webToken(i int) {
	if !strings.HasPrefix(s.text[i:], "eyJ") || !s.begins(i) {
		return
	}
	to := s.run(dotted, i)
	parts := strings.SplitN(s.text[i:min(to, i+maxSecret)], ".", 4)
	if len(parts) != 3 || len(parts[2]) < 20 || !strings.HasPrefix(parts[1], "ey") || entropy(parts[2]) < 3.5 ||
		inRow(strings.ToLower(parts[2])) {
		return
	}
	var header struct {
		Alg string `json:"alg"`
	}
	first, err := base64.RawURLEncoding.DecodeString(parts[0])
	claims, err2 := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || err2 != nil || json.Unmarshal(first, &header) != nil || header.Alg == "" || !json.Valid(claims) {
		return
	}
	for _, w := range []string{"1234567890", "John Doe", "example", "user_123", "test"} {
		if strings.Contains(string(claims), w) {
			return
		}
	}
	s.add(i, i+len(parts[0])+len(parts[1])+len(parts[2])+2, "a signed token")
}
