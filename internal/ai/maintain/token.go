package maintain

import (
	"io/fs"
	"path"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// find returns the next position from at where the old version occurs as a whole, or -1 if there is none.
func (b *bumper) find(text string, at int) (start, end int) {
	for {
		i := strings.Index(text[at:], b.from)
		if i < 0 {
			return -1, -1
		}
		start, end = at+i, at+i+len(b.from)
		if !longerBefore(text[max(0, start-2):start]) && !longerAfter(text[end:min(len(text), end+24)]) &&
			!b.already(text, start) {
			return start, end
		}
		at = start + 1
	}
}

// already reports whether text contains the new version at this offset. This matters when the new version starts
// with the old one or contains it.
func (b *bumper) already(text string, at int) bool {
	for i := 0; ; i++ {
		k := strings.Index(b.to[i:], b.from)
		if k < 0 {
			return false
		}
		i += k
		if start := at - i; start >= 0 && strings.HasPrefix(text[start:], b.to) {
			return true
		}
	}
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// longerBefore reports whether the text before a version makes it part of a longer word or number. A separate "v"
// does not.
func longerBefore(before string) bool {
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	earlier := byte(' ')
	if len(before) > 1 {
		earlier = before[0]
	}
	switch {
	case last|0x20 == 'v':
		return isWord(earlier) && earlier != '_' || earlier == '.'
	case last == '.' || last == ',':
		return isWord(earlier)
	case last == '-':
		return isDigit(earlier)
	}
	return isWord(last) && last != '_'
}

// longerAfter reports whether the text after a version belongs to it: another number, or a suffix such as a
// pre-release.
func longerAfter(after string) bool {
	if after == "" {
		return false
	}
	if isWord(after[0]) {
		return true
	}
	return suffix.MatchString(after)
}

var suffix = lazyregexp.New(
	`(?i)^(?:[.][0-9]|\.[x*]\b|[-.+](?:[0-9]|(?:alpha|beta|rc|pre|preview|dev|snapshot|canary|next|nightly|final|release|` +
		`post|build|m|a|b|sha|git)(?:[-.0-9+]|\b))|\+[0-9a-z])`)

// history matches the words before a version in statements such as "since 1.2" or "removed in 1.2".
var history = lazyregexp.New(
	`(?i)(?:\b(?:since|until|before|after|prior to|as of|starting (?:with|from|in)|from|up to|through|(?:added|introduced|` +
		`new|available|deprecated|removed|changed|fixed|released|supported|dropped|renamed|landed|shipped) (?:in|since|with|from|as of)|older than|newer than|` +
		`earlier than|later than|upgrad(?:e|ed|ing) from|migrat(?:e|ed|ing) from)|(?:^|[\s"'(])(?:[<>]=?|≥|≤))[ \t]*(?:the[ \t]+)?(?:version|` +
		`release)?[ \t:=]*["'` + "`" + `*(]{0,3}v?$`)

// refuses returns the reason why a version must not be replaced, or "" if it should be.
func (b *bumper) refuses(file, text string, start, end int) string {
	line := text[max(0, start-48):start]
	if history.MatchString(line[strings.LastIndexByte(line, '\n')+1:]) {
		return "the text says since when or until when something applies"
	}
	if !strings.Contains(b.from, ".") && (start > 0 && text[start-1] == '/' || end < len(text) && text[end] == '/') {
		return "it may be part of an address that must not change"
	}
	if name := b.names(file, text, start, end); name != "" {
		return "it is part of the name of " + name
	}
	return ""
}

// names returns the file or folder whose path contains a version, or "" if there is none, as in addresses of other
// sites.
func (b *bumper) names(file, text string, start, end int) string {
	stop := func(c byte) bool { return c <= ' ' || strings.IndexByte("\"'`()<>[]{},|*", c) >= 0 }
	from := start
	for from > 0 && start-from < 300 && !stop(text[from-1]) {
		from--
	}
	to := end
	for to < len(text) && to-end < 300 && text[to] != '/' && !stop(text[to]) && strings.IndexByte("?#", text[to]) < 0 {
		to++
	}
	p := text[from:to]
	bare := strings.TrimLeft(p, "vV") == b.from && (to == len(text) || text[to] != '/')
	if strings.Contains(p, "://") || strings.HasPrefix(p, "//") || bare {
		return ""
	}
	for _, name := range []string{path.Clean("/" + p)[1:], path.Join(path.Dir(file), p)} {
		for _, ext := range []string{"", ".mdx", ".md"} {
			if b.exists(name + ext) {
				return name + ext
			}
		}
	}
	return ""
}

// exists reports whether the draft has a file or folder. Results are cached, since pages refer to the same names
// repeatedly.
func (b *bumper) exists(name string) bool {
	if !fs.ValidPath(name) || name == "." {
		return false
	}
	known, ok := b.files[name]
	if !ok && len(b.files) < 100_000 {
		_, err := b.tree.Stat(name)
		known = err == nil
		b.files[name] = known
	}
	return known
}
