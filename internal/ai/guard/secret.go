package guard

import (
	"cmp"
	"hash/crc32"
	"slices"
	"strings"
)

// span is a secret in a text.
type span struct {
	from, to int
	what     string // its kind, with an article
}

// Lectern's own keys have a checksum that distinguishes them from similar text: the CRC-32 of all preceding characters,
// as six base62 digits.
const (
	ownPrefix = "lectern_"
	ownLen    = 38
	ownSum    = 6
	base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// findSecrets finds text that looks like a real secret rather than an example, in order and without overlaps. It
// takes linear time.
func findSecrets(text string) []span {
	s := secretScanner{text: text}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '-':
			s.privateKey(i)
		case ':', '=':
			s.assignment(i)
			s.login(i)
		case 'e':
			s.webToken(i)
		}
		if list := byFirst[text[i]]; list != nil && s.begins(i) {
			s.shaped(i, list)
		}
	}
	return merge(s.found)
}

// merge sorts spans and joins overlapping ones, keeping the kind of the first.
func merge(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var out []span
	for _, s := range list {
		if n := len(out); n > 0 && s.from < out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// secretScanner scans one text.
type secretScanner struct {
	text  string
	found []span
	runs  [alphabets]struct{ from, to int } // for each alphabet, the last measured run
}

func (s *secretScanner) add(from, to int, what string) {
	s.found = append(s.found, span{from, to, what})
}

// begins reports whether a key may start at i: it does not follow a letter or digit, except the end of a %-escape
// or a backslash escape.
func (s *secretScanner) begins(i int) bool {
	return i == 0 || !alnum.in(s.text[i-1]) || i >= 3 && s.text[i-3] == '%' || i >= 2 && s.text[i-2] == '\\'
}

// run returns the end of the run of an alphabet's bytes at i. Results are cached, so that a text full of prefixes
// still takes linear time.
func (s *secretScanner) run(a alphabet, i int) (end int) {
	if last := s.runs[a]; i >= last.from && i < last.to {
		return last.to
	}
	end = i
	for end < len(s.text) && a.in(s.text[end]) {
		end++
	}
	s.runs[a].from, s.runs[a].to = i, end
	return end
}

func (s *secretScanner) shaped(i int, list []shape) {
	for _, sh := range list {
		if !strings.HasPrefix(s.text[i:], sh.prefix) {
			continue
		}
		from := i + len(sh.prefix)
		to := s.run(sh.of, from)
		if n := to - from; n < sh.min || sh.max > 0 && n > sh.max {
			continue
		}
		for sh.of != hexits && to > from && strings.IndexByte("-_.", s.text[to-1]) >= 0 {
			to-- // punctuation at the end of a sentence, or of emphasis
		}
		body := s.text[from:min(to, from+maxSecret)]
		if sh.prefix == ownPrefix && !ownKey(s.text[i:to]) || len(sh.prefix) <= 3 && !sh.of.strict() && !mixed(body) ||
			placeholder(body) {
			continue
		}
		s.add(i, to, sh.what)
		return
	}
}

// ownKey reports whether the checksum of one of Lectern's own keys is correct.
func ownKey(key string) bool {
	sum := crc32.ChecksumIEEE([]byte(key[:len(key)-ownSum]))
	for i := len(key) - 1; i >= len(key)-ownSum; i-- {
		if key[i] != base62[sum%62] {
			return false
		}
		sum /= 62
	}
	return true
}

// secret reports secrets on new lines that the file did not contain before.
func (c *checker) secret(a *added) {
	for _, s := range findSecrets(a.after) {
		value := a.after[s.from:s.to]
		if a.old[value] || a.moved.secrets[value] || !a.touches(s.from, s.to) {
			continue
		}
		c.addFinding(a.line(s.from), Secret, true, "The line contains what looks like %s.", s.what)
	}
	for _, s := range c.secrets.known(a.after) {
		c.addFinding(a.line(s.from), Secret, true, "The line has %s.", s.what)
	}
	for i, line := range a.lines {
		if a.fresh[i] && strings.Contains(line, mark) {
			c.addFinding(i+1, Secret, false, "Text that looked like a secret was removed from the line.")
		}
	}
}
