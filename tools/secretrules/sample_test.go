package secretrules

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// sampler generates random texts that a regular expression matches.
type sampler struct {
	*rand.Rand
	out strings.Builder
}

// sample returns a random text that pattern matches. If the pattern ignores case, letters have the same case as in the
// pattern.
func sample(t *testing.T, pattern string, seed uint64) string {
	t.Helper()
	re, err := syntax.Parse(strings.TrimPrefix(pattern, "(?i)"), syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	s := &sampler{Rand: rand.New(rand.NewPCG(seed, 7))}
	s.write(re)
	return s.out.String()
}

// more is the number of repetitions to add where a pattern allows any number, because real keys are not as short as
// possible.
const more = 16

func (s *sampler) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		s.out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		s.out.WriteRune(s.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.out.WriteByte('.') // an unescaped dot in these patterns means a dot
	case syntax.OpStar:
		s.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		s.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		s.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		s.repeat(re.Sub[0], re.Min, re.Max)
	case syntax.OpAlternate:
		s.write(re.Sub[s.IntN(len(re.Sub))])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			s.write(sub)
		}
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
	default:
		panic(fmt.Sprintf("no samples of %s", re))
	}
}

// repeat writes re between least and most times; most is -1 for any number of times.
func (s *sampler) repeat(re *syntax.Regexp, least, most int) {
	n := least + more
	if most >= 0 {
		n = least + s.IntN(most-least+1)
	}
	for range n {
		s.write(re)
	}
}

// pick returns a random printable ASCII character of a class, if there is one.
func (s *sampler) pick(ranges []rune) rune {
	var all []rune
	for r := ' '; r <= '~'; r++ {
		for i := 0; i < len(ranges); i += 2 {
			if r >= ranges[i] && r <= ranges[i+1] {
				all = append(all, r)
			}
		}
	}
	if len(all) == 0 {
		return ranges[0]
	}
	return all[s.IntN(len(all))]
}
