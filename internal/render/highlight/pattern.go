package highlight

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
)

// newAutomaton returns the automaton for a pattern, or nil if the pattern is not supported.
func newAutomaton(pattern string) *automaton {
	// regexp2 interprets it like this; many languages use it for the first letter of a name
	pattern = strings.ReplaceAll(pattern, `[^\W\d]`, `\w`)
	if readsDifferently(pattern) {
		return nil
	}
	pattern, behind := cutBehind(pattern)
	widened, ok := widen(pattern)
	if !ok {
		return nil
	}
	tree, err := syntax.Parse(widened, syntax.Perl)
	if err != nil || hasEndText(tree) {
		return nil
	}
	a := &automaton{behind: behind, exact: widened == pattern && !loopsOverNothing(tree), places: map[string]*place{}}
	if a.program, err = syntax.Compile(tree.Simplify()); err != nil || len(a.program.Inst) > maxProgram {
		return nil
	}
	a.seen = make([]uint32, len(a.program.Inst))
	a.classify()
	return a
}

// cutBehind removes the condition from a pattern that begins by testing the preceding character, as in (?<=\.)name.
func cutBehind(pattern string) (rest string, behind *firstSet) {
	flags, body, _ := strings.Cut(pattern, "(?:")
	at := len(flags) + len("(?:")
	if !strings.HasPrefix(body, "(?<=") || alternates(body) || strings.Trim(flags, "(?ms)") != "" {
		return pattern, nil
	}
	end := groupEnd(pattern, at)
	if end < 0 || groupEnd(pattern, len(flags)) != len(pattern)-1 {
		return pattern, nil
	}
	tree, err := syntax.Parse(pattern[at+len("(?<="):end], syntax.Perl)
	if err != nil || !oneCharacter(tree) {
		return pattern, nil
	}
	behind = &firstSet{}
	behind.collect(tree)
	return pattern[:at] + pattern[end+1:], behind
}

func oneCharacter(re *syntax.Regexp) bool {
	return re.Op == syntax.OpCharClass || re.Op == syntax.OpLiteral && len(re.Rune) == 1
}

// alternates reports whether a pattern has alternatives at the top level.
func alternates(body string) bool {
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(body, i) - 1
		case '(':
			if i = groupEnd(body, i); i < 0 {
				return true
			}
		case '|':
			return true
		}
	}
	return false
}

// paddedCount matches a repetition with a leading zero in its count, as in a{02}, which the standard library treats
// as text.
var paddedCount = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{(?:\d+,)?0\d`) })

// readsDifferently reports whether a pattern contains a construct that has another meaning in the standard library:
// subtracted and named classes, quoting, padded counts, and a negated letter class together with digits in one class,
// where regexp2 ignores the digits.
func readsDifferently(pattern string) bool {
	if paddedCount().MatchString(pattern) {
		return true
	}
	for _, s := range []string{"-[", "[[:", `\Q`, `\C`} {
		if strings.Contains(pattern, s) {
			return true
		}
	}
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			end := classEnd(pattern, i)
			if class := pattern[i:end]; strings.Contains(class, `\W`) && strings.Contains(class, `\d`) {
				return true
			}
			i = end - 1
		}
	}
	return false
}

// hasEndText reports whether a pattern tests for the end of the text. The two libraries define it differently before a
// line break.
func hasEndText(re *syntax.Regexp) bool {
	return re.Op == syntax.OpEndText || slices.ContainsFunc(re.Sub, hasEndText)
}

// loopsOverNothing reports whether a pattern repeats an expression that can be empty. The two libraries may prefer
// different matches for it.
func loopsOverNothing(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		var s firstSet
		if s.collect(re.Sub[0]) {
			return true
		}
	}
	return slices.ContainsFunc(re.Sub, loopsOverNothing)
}
