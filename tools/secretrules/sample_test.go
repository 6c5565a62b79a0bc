package secretrules

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"
)

// sampler writes texts that a regular expression matches, drawn by lot.
type sampler struct {
	*rand.Rand
	out strings.Builder
}

// sample returns a text that pattern matches. Letters of a pattern that ignores case are written as the pattern has
// them.
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

// more is how many repetitions are added where a pattern allows any number: real keys are not the shortest possible.
const more = 16

func (s *sampler) write(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		s.out.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		s.out.WriteRune(s.pick(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		s.out.WriteByte('.') // where a pattern has an unescaped dot, that is what it means
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

// repeat writes re from least to most times; most -1 = any number of times.
func (s *sampler) repeat(re *syntax.Regexp, least, most int) {
	n := least + more
	if most >= 0 {
		n = least + s.IntN(most-least+1)
	}
	for range n {
		s.write(re)
	}
}

// pick draws a printable ASCII character of a class, if it has any.
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
