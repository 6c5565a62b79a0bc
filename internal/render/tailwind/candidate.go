package tailwind

import "strings"

// maxCandidates limits the candidates from one source.
const maxCandidates = 5_000

// Candidates returns the parts of a program's source that could be class names, without duplicates, in order. It does
// not distinguish strings from code, because the source may be in any dialect. Words that are not classes produce no
// CSS.
func Candidates(source string) []string {
	seen := map[string]bool{}
	var out []string
	for _, piece := range strings.FieldsFunc(source,
		func(r rune) bool { return r <= ' ' || r == '"' || r == '\'' || r == '`' || r > '~' }) {
		for _, word := range cut(piece) {
			if len(word) < 2 && word != "p" || len(word) > maxClass || seen[word] || !startsClass(word[0]) {
				continue
			}
			if seen[word] = true; len(out) == maxCandidates {
				return out
			}
			out = append(out, word)
		}
	}
	return out
}

func startsClass(c byte) bool {
	return 'a' <= c && c <= 'z' || c == '-' || c == '!' || c == '[' || c == '*' || '0' <= c && c <= '9'
}

// cut splits at characters that never occur in a class outside brackets.
func cut(piece string) []string {
	var out []string
	depth, start := 0, 0
	for i := 0; i <= len(piece); i++ {
		end := i == len(piece)
		if !end {
			switch piece[i] {
			case '[':
				depth++
			case ']':
				depth--
			}
			end = strings.IndexByte("{}();,<>=?\\$+", piece[i]) >= 0 && depth <= 0
		}
		if end {
			if i > start {
				out = append(out, piece[start:i])
			}
			start = i + 1
		}
	}
	return out
}
