package link

import "strings"

// Text is a part of a destination: literal text, or the name of a wildcard. The other field is "".
type Text struct{ Literal, Name string }

// template parses a destination. ":name*" is a wildcard anywhere. ":name" is a wildcard only if it is a whole piece, so
// that ":id" does not match ":idea" or a port. The first "*" is the unnamed wildcard. Other text is literal.
func template(dest string, names map[string]bool) (out []Text) {
	literal := 0
	take := func(from, to int, name string) {
		if from > literal {
			out = append(out, Text{Literal: dest[literal:from]})
		}
		out, literal = append(out, Text{Name: name}), to
	}
	starred := !names["*"]
	for i := 0; i < len(dest); i++ {
		switch {
		case dest[i] == '*' && !starred:
			starred = true
			take(i, i+1, "*")
		case dest[i] == ':':
			if name, end := paramAt(dest, i, names); name != "" {
				take(i, end, name)
				i = end - 1
			}
		}
	}
	if literal < len(dest) {
		out = append(out, Text{Literal: dest[literal:]})
	}
	return out
}

// paramAt parses the wildcard whose colon is at i and returns its end. If there is no wildcard, name is "".
func paramAt(dest string, i int, names map[string]bool) (name string, end int) {
	piece := dest[i+1:]
	if end := strings.IndexAny(piece, "/?#"); end >= 0 {
		piece = piece[:end]
	}
	if star := strings.IndexByte(piece, '*'); star >= 0 && names[piece[:star]] {
		return piece[:star], i + 1 + star + 1
	}
	if (i == 0 || dest[i-1] == '/') && names[piece] {
		return piece, i + 1 + len(piece)
	}
	return "", 0
}
