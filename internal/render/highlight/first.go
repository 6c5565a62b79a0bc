package highlight

import (
	"cmp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// firstSet is the set of ASCII characters that a match of a pattern may start with. It may contain characters with
// which no match starts, but it never lacks one.
type firstSet struct {
	all  bool
	bits [2]uint64
}

func (s *firstSet) has(c byte) bool { return s.all || s.bits[c>>6]&(1<<(c&63)) != 0 }

func (s *firstSet) add(lo, hi rune) {
	for c := max(lo, 0); c <= min(hi, 127); c++ {
		s.bits[c>>6] |= 1 << (c & 63)
	}
}

// firstOf parses a regexp2 pattern with the standard library's parser. Before that, it replaces unsupported constructs
// with constructs that match more. A pattern that cannot be parsed may start with anything.
func firstOf(pattern string) firstSet {
	anything := firstSet{all: true}
	if strings.Contains(pattern, "-[") || strings.Contains(pattern, "[[:") { // these mean something else there
		return anything
	}
	widened, ok := widen(pattern)
	if !ok {
		return anything
	}
	re, err := syntax.Parse(widened, syntax.Perl)
	if err != nil {
		return anything
	}
	var s firstSet
	if s.collect(re) { // it can match the empty string
		return anything
	}
	// The two libraries differ in which control characters are white space.
	s.add(0, 8)
	s.add(11, 12)
	s.add(14, 31)
	s.add(127, 127)
	return s
}

// widen removes look-around, makes atomic groups plain and long repetitions unlimited. Look-ahead at the end becomes
// part of the pattern, because a match requires that text too. It rejects patterns with references to groups.
func widen(p string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch {
		case p[i] == '\\' && i+1 < len(p):
			if p[i+1] >= '1' && p[i+1] <= '9' || p[i+1] == 'k' {
				return "", false
			}
			b.WriteString(p[i : i+2])
			i++
		case p[i] == '[':
			end := classEnd(p, i)
			b.WriteString(p[i:end])
			i = end - 1
		case p[i] == '{':
			end, loop := longRepeat(p[i:])
			b.WriteString(loop)
			i += end - 1
		case lookAround(p[i:]):
			end := groupEnd(p, i)
			if end < 0 {
				return "", false
			}
			b.WriteString("(?:")
			if strings.HasPrefix(p[i:], "(?=") && strings.Trim(p[end:], ")") == "" {
				inner, ok := widen(p[i+len("(?=") : end])
				if !ok {
					return "", false
				}
				b.WriteString(inner)
			}
			b.WriteString(")")
			i = end
		case strings.HasPrefix(p[i:], "(?>"):
			b.WriteString("(?:")
			i += 2
		default:
			b.WriteByte(p[i])
		}
	}
	return b.String(), true
}

func lookAround(p string) bool {
	return strings.HasPrefix(p, "(?=") || strings.HasPrefix(p, "(?!") || strings.HasPrefix(p, "(?<=") ||
		strings.HasPrefix(p, "(?<!")
}

// longRepeat parses the braces at the start of p. Repetitions of more than a few times become unlimited, because the
// standard library rejects some. read is the length of the braces and their content in p.
func longRepeat(p string) (read int, loop string) {
	inner, _, closed := strings.Cut(p[1:], "}")
	least, most, _ := strings.Cut(inner, ",")
	if n, err := strconv.Atoi(cmp.Or(most, least)); !closed || err != nil || n < 20 ||
		strings.Trim(least, "0123456789") != "" || least == "" {
		return 1, "{"
	}
	if strings.Trim(least, "0") == "" {
		return len(inner) + 2, "*"
	}
	return len(inner) + 2, "+"
}

// classEnd returns the position after the character class that starts at i.
func classEnd(p string, i int) int {
	j := i + 1
	if j < len(p) && p[j] == '^' {
		j++
	}
	if j < len(p) && p[j] == ']' {
		j++
	}
	for ; j < len(p) && p[j] != ']'; j++ {
		if p[j] == '\\' {
			j++
		}
	}
	return min(j+1, len(p))
}

// groupEnd returns the position of the bracket that closes the group at i, or -1.
func groupEnd(p string, i int) int {
	depth := 0
	for ; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(p, i) - 1
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// collect adds the characters that re may start with. It reports whether re can match the empty string. If so, a match
// may also start with the next expression.
func (s *firstSet) collect(re *syntax.Regexp) (empty bool) {
	switch re.Op {
	case syntax.OpLiteral:
		c := re.Rune[0]
		s.add(c, c)
		if re.Flags&syntax.FoldCase != 0 && c < 128 {
			lower, upper := strings.ToLower(string(c)), strings.ToUpper(string(c))
			s.add(rune(lower[0]), rune(lower[0]))
			s.add(rune(upper[0]), rune(upper[0]))
		} else if re.Flags&syntax.FoldCase != 0 {
			s.add(0, 127)
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			s.add(re.Rune[i], re.Rune[i+1])
		}
	case syntax.OpAnyChar:
		s.add(0, 127)
	case syntax.OpAnyCharNotNL:
		s.add(0, 9)
		s.add(11, 127)
	case syntax.OpCapture, syntax.OpPlus:
		return s.collect(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		s.collect(re.Sub[0])
		return true
	case syntax.OpRepeat:
		return s.collect(re.Sub[0]) || re.Min == 0
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !s.collect(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if s.collect(sub) {
				empty = true
			}
		}
		return empty
	case syntax.OpNoMatch:
		return false
	default: // conditions and the empty match
		return true
	}
	return false
}
