package searchindex

import "unicode/utf8"

// appendStrings appends strings as JSON, separated by commas. It omits control characters other than line ends, and
// invalid UTF-8, because they cannot be searched for. Unicode line separators become spaces.
func appendStrings(to []byte, texts ...string) []byte {
	for i, text := range texts {
		if i > 0 {
			to = append(to, ',')
		}
		to = append(to, '"')
		to = append(appendEscaped(to, text), '"')
	}
	return to
}

func appendEscaped[T string | []byte](to []byte, text T) []byte {
	start := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		instead := ""
		switch {
		case c == '"':
			instead = `\"`
		case c == '\\':
			instead = `\\`
		case c == '\n':
			instead = `\n`
		case c == '\t':
			instead = " "
		case c < ' ':
		default:
			r, n := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))]))
			if size = n; r == '\u2028' || r == '\u2029' {
				instead = " "
			} else if r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		to = append(append(to, text[start:i]...), instead...)
		i += size
		start = i
	}
	return append(to, text[start:]...)
}
