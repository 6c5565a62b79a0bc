package mdx

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// entity decodes the &name; or &#number; at the start of s. n is its length in bytes, or 0 if there is none.
func entity(s string) (value string, n int) {
	if len(s) < 3 || s[0] != '&' {
		return "", 0
	}
	if s[1] == '#' {
		return numericEntity(s)
	}
	i := 1
	for i < len(s) && i < 33 && isAlnum(s[i]) {
		i++
	}
	if i == 1 || i >= len(s) || s[i] != ';' {
		return "", 0
	}
	name := s[:i+1]
	value = html.UnescapeString(name)
	// The library also decodes a name without a semicolon, as in "&notit;", and keeps the rest.
	if value == name || strings.HasSuffix(value, ";") && name != "&semi;" {
		return "", 0
	}
	return value, i + 1
}

func numericEntity(s string) (string, int) {
	i, base, limit := 2, 10, 7
	if i < len(s) && (s[i] == 'x' || s[i] == 'X') {
		i, base, limit = 3, 16, 6
	}
	from := i
	for i < len(s) && i-from < limit+1 && (isDigit(s[i]) || base == 16 && isHex(s[i])) {
		i++
	}
	if i == from || i-from > limit || i >= len(s) || s[i] != ';' {
		return "", 0
	}
	code, err := strconv.ParseInt(s[from:i], base, 32)
	r := rune(code)
	if err != nil || code == 0 || !utf8.ValidRune(r) {
		r = utf8.RuneError
	}
	return string(r), i + 1
}

// resolveEntities decodes all entities of a string. It does not interpret backslashes.
func resolveEntities(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return resolve(s, false)
}

// unescape decodes entities and backslash escapes.
func unescape(s string) string {
	if strings.IndexByte(s, '&') < 0 && strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return resolve(s, true)
}

func resolve(s string, escapes bool) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] == '&' {
			if v, n := entity(s[i:]); n > 0 {
				b.WriteString(v)
				i += n
				continue
			}
		}
		if escapes && s[i] == '\\' && i+1 < len(s) && isPunct(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

func isAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

// isPunct reports whether a backslash before c escapes it.
func isPunct(c byte) bool {
	return c >= '!' && c <= '/' || c >= ':' && c <= '@' || c >= '[' && c <= '`' || c >= '{' && c <= '~'
}
