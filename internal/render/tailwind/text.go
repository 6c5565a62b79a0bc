package tailwind

import (
	"strings"
	"unicode/utf8"
)

func printable(s string) bool {
	for _, c := range []byte(s) {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// splitColons splits a class into its variants and the rest. It ignores colons in brackets.
func splitColons(class string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i < len(class); i++ {
		switch class[i] {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ':':
			if depth == 0 {
				out = append(out, class[start:i])
				start = i + 1
			}
		}
	}
	return append(out, class[start:])
}

// slash returns the position of the last "/" outside brackets, or -1.
func slash(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ']':
			depth++
		case '[':
			depth--
		case '/':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}

// escape returns a class escaped for a selector.
func escape(class string) string {
	var b strings.Builder
	for i := 0; i < len(class); i++ {
		c := class[i]
		switch {
		case '0' <= c && c <= '9' && (i == 0 || i == 1 && class[0] == '-'):
			b.WriteString(`\3` + string(c) + " ")
		case nameByte(c) && !(c == '-' && len(class) == 1), c == '_', c > 0x7f:
			b.WriteByte(c)
		case c == ',' || c == '<':
			b.WriteString(map[byte]string{',': `\2c `, '<': `\3c `}[c])
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}
