package highlight

import (
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
)

// ruleTexts contains texts that many rules match.
var ruleTexts = []string{
	"func main() {\n\tif x := a[0x1F]; x != nil { return fmt.Sprintf(\"%d \\n\", 'c') } // done\n}\n",
	"@dec\nclass A(B):\n    async def f(self, x: int = 1_000) -> str:\n        '''doc'''\n        return f\"{x!r:>10}\" # c\n",
	"<a href=\"x\" b='y'>t &amp; <!-- c --></a>\n<?php echo $x->y; ?>\n{{ v | f }} {% if %}\n",
	"SELECT a.*, COUNT(*) AS n FROM \"t\" WHERE x >= 1.5e3 AND y IN ('a', 'b') -- c\nBEGIN; end\n/* d */\n",
	"key: &x [1, \"two\", ~]\n  - |\n    text\n# c\n[section]\na=b ; c\n$VAR ${X:-y} `cmd` $(pwd) <<EOF\nx\nEOF\n",
	"#include <a.h>\n#define X(a) a##b\nstatic const char *f[] = { \"a\\x41\", u8\"b\" }; template<typename T> struct S : T {};\n",
	"let mut v: Vec<&'a str> = vec![]; match x { Some(_) => 1..=2, _ => panic!(\"e\") } #[derive(Debug)] r#\"raw\"#\n",
	"(defun f (x &optional y) (let ((z '(1 . 2))) #'car :key)) ; c\n\\begin{x} $a^2$ % c\n{-# LANG #-} f :: a -> b -- c\n",
	"-\n--\n---\n.\n..\n/\n//\n/* */\n=\n==\n!\n?\n:\n::\n<\n<=\n\"\n'\n`\n\\\n\t\r\n  \n_\n_a\n0\n0.\n.0\n1e-5\n",
}

// The result of the automaton is not verified with the regular expression, so both must agree for every rule of every
// language at every position.
func TestAutomatonAgreesWithTheRegularExpression(t *testing.T) {
	h := New(0)
	exact, all := 0, 0
	done, known := map[*language]bool{}, map[string]bool{}
	for _, l := range h.languages {
		if done[l] {
			continue
		}
		done[l] = true
		l.once.Do(l.compile)
		for name, s := range l.states {
			for _, r := range s.rules {
				all++
				a := r.auto()
				if a != nil && a.exact && r.simple {
					exact++
				}
				if a != nil && !known[r.pattern] { // languages share many patterns
					known[r.pattern] = true
					agree(t, l.lexer.Config().Name+" "+name, r, ruleTexts)
				}
			}
		}
	}
	t.Logf("%d rules, %d of them need no regular expression", all, exact)
	if exact < all/2 {
		t.Errorf("only %d of %d rules", exact, all)
	}
}

// agree compares the automaton with the regular expression at every position of the texts, and checks that the engine
// tries the rule wherever it matches.
func agree(t *testing.T, at string, r *rule, texts []string) {
	t.Helper()
	a := r.auto()
	for _, text := range texts {
		runes := []rune(text)
		for pos, c := range runes {
			got, want := a.match(runes, pos), noMatch
			tried := c >= 128 || r.first.has(byte(c))
			if got == gaveUp {
				continue
			}
			if !tried && strings.Contains(r.pattern, `[^\W\d]`) {
				continue // regexp2 treats digits as letters here; we do not try the rule at a digit
			}
			m, err := r.findSlowly(runes, pos)
			if err != nil {
				return // regexp2 does not support the rule
			}
			if m != nil {
				want = m.RuneLength
			}
			if a.exact && got != want || got == noMatch && want != noMatch || !tried && want != noMatch {
				t.Errorf("%s: %s at %d of %q: %d, want %d, tried %v", at, r.pattern, pos, text, got, want, tried)
				return
			}
		}
	}
}

func TestAutomatonGivesUpWhereLibrariesDiffer(t *testing.T) {
	a := newAutomaton(`\w+`)
	for text, want := range map[string]int{"ab": 2, "ab cd": 2, " a": noMatch, "aé": gaveUp, "a\v": gaveUp,
		"a\x7f": gaveUp, "": noMatch} {
		if got := a.match([]rune(text), 0); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := a.match([]rune("éa"), 1); got != gaveUp {
		t.Errorf("after an unsupported letter: %d", got)
	}
	for _, pattern := range []string{`a$`, `(a)\1`, `[a-z-[b]]`, `(?x) a`, `a++`, `[[:alpha:]]`, `a{02}`, `a{1,02}`} {
		if newAutomaton(pattern) != nil {
			t.Errorf("%s has an automaton", pattern)
		}
	}
	for _, pattern := range []string{`a(?=b)`, `(?<!x)a`, `(?>a+)b`, `(a*)*`} {
		if a := newAutomaton(pattern); a == nil || a.exact {
			t.Errorf("%s is not only a filter", pattern)
		}
	}
}

// A pattern with exponentially many states must take bounded memory, and its rule must still work.
func TestAutomatonWithTooManyStatesGivesUp(t *testing.T) {
	a := newAutomaton(`(?:a|b)*a(?:a|b){14}c`)
	var text []rune
	for n := uint32(1); len(text) < 20_000; n = n*1664525 + 1013904223 {
		text = append(text, 'a'+rune(n>>31))
	}
	if got := a.match(text, 0); got != gaveUp {
		t.Errorf("the match is %d", got)
	}
	if len(a.places) > maxStates+1 {
		t.Errorf("%d states", len(a.places))
	}
	if !a.full.Load() || a.match(text, 0) != gaveUp {
		t.Error("the automaton did not give up")
	}
}

// FuzzAutomatonAgrees also compares generated patterns.
func FuzzAutomatonAgrees(f *testing.F) {
	for _, pattern := range []string{`\b(if|in|int)\b`, `(?i)[a-c]+?x*`, `"(\\.|[^"\\])*"`, `^\s*#.*$`,
		`0[xX][\da-f]{2,4}|\d+(\.\d*)?`, `a(?=b)|\Bc`, `(?s)/\*.*?\*/`, `(?:a|ab)(?:c|bcd)*`, `[^\s,;]`} {
		f.Add(pattern, "ab if int intx \"a\\\"b\" 0xFf 1.5\n # c\n/* d\n */ abcd aabc")
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 60 || len(text) > 100 {
			return
		}
		if _, err := regexp2.Compile(pattern); err != nil {
			return // its brackets could close the group that follows
		}
		pattern = "(?m)(?:" + pattern + ")"
		re, err := regexp2.Compile(`\G` + pattern)
		a := newAutomaton(pattern)
		if err != nil || a == nil {
			return
		}
		re.MatchTimeout = time.Second
		r := &rule{pattern: `\G` + pattern, first: firstSet{all: true}, auto: func() *automaton { return a }}
		r.regexp.Store(re)
		agree(t, "made up", r, []string{text})
	})
}
