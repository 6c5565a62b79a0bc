package highlight

import (
	"sync"
	"sync/atomic"

	"github.com/alecthomas/chroma/v2"
	"github.com/dlclark/regexp2/v2"
)

type match = regexp2.Match

// rule is one rule of a state. It includes data that lets the engine skip the rule when it cannot match.
type rule struct {
	*chroma.CompiledRule
	pattern string
	first   firstSet
	index   int               // index in its state
	simple  bool              // the tokens do not depend on groups
	named   bool              // emitters or mutators may use group names
	auto    func() *automaton // created on first use; returns nil if the pattern has no automaton
	regexp  atomic.Pointer[regexp2.Regexp]
}

// find tries the rule at one position and returns the length of the match, or noMatch. groups is nil if the caller
// does not need them.
func (r *rule) find(text []rune, pos int) (length int, groups *match, err error) {
	if a := r.auto(); a != nil {
		if length = a.match(text, pos); length == noMatch || length >= 0 && a.exact && r.simple {
			return length, nil, nil
		}
	}
	groups, err = r.findSlowly(text, pos)
	if groups == nil || groups.RuneIndex != pos {
		return noMatch, nil, err
	}
	return groups.RuneLength, groups, err
}

// findSlowly uses the regular expression. Several goroutines may compile it concurrently, with the same result.
func (r *rule) findSlowly(text []rune, pos int) (*match, error) {
	re := r.regexp.Load()
	if re == nil {
		var err error
		if re, err = regexp2.Compile(r.pattern); err != nil {
			return nil, err
		}
		re.MatchTimeout = matchTime
		r.regexp.Store(re)
	}
	return re.FindRunesMatchStartingAt(text, pos)
}

// state holds the rules of a state, and for each ASCII character the rules that can match at it.
type state struct {
	rules  []*rule
	byChar [128][]*rule
}

func (s *state) at(c rune) []*rule {
	if c < 128 {
		return s.byChar[c]
	}
	return s.rules
}

// compile prepares the states. If the lexer uses something unsupported, its own engine runs it.
func (l *language) compile() {
	lexer, ok := l.lexer.(*chroma.RegexLexer)
	if !ok {
		return
	}
	raw, err := lexer.Rules()
	if err != nil {
		return
	}
	compiled := chroma.CompiledRules{}
	for name, rules := range raw {
		compiled[name] = nil
		for _, r := range rules {
			compiled[name] = append(compiled[name], &chroma.CompiledRule{Rule: r})
		}
	}
	if !resolve(compiled) {
		return
	}
	l.rules = compiled
	states := make(map[string]*state, len(compiled))
	for name, rules := range compiled {
		states[name] = newState(lexer.Config(), rules)
	}
	l.states = states
}

// resolve applies the rules that modify other rules: those that include or combine states.
func resolve(rules chroma.CompiledRules) bool {
	for range 10_000 {
		name, i := findLexerMutator(rules)
		if i < 0 {
			return true
		}
		if rules[name][i].Mutator.(chroma.LexerMutator).MutateLexer(rules, name, i) != nil {
			return false
		}
	}
	return false
}

func findLexerMutator(rules chroma.CompiledRules) (state string, index int) {
	for name, list := range rules {
		for i, r := range list {
			if _, ok := r.Mutator.(chroma.LexerMutator); ok {
				return name, i
			}
		}
	}
	return "", -1
}

func newState(config *chroma.Config, rules []*chroma.CompiledRule) *state {
	s := &state{}
	flags := ""
	if !config.NotMultiline {
		flags += "m"
	}
	if config.CaseInsensitive {
		flags += "i"
	}
	if config.DotAll {
		flags += "s"
	}
	for i, c := range rules {
		pattern := "(?:" + c.Pattern + ")"
		if flags != "" {
			pattern = "(?" + flags + ")" + pattern
		}
		r := &rule{CompiledRule: c, pattern: `\G` + pattern, first: firstOf(pattern), index: i}
		r.auto = sync.OnceValue(func() *automaton { return newAutomaton(pattern) })
		_, single := c.Type.(chroma.TokenType)
		_, knownEmitter := c.Type.(chroma.SerialisableEmitter)
		_, knownMutator := c.Mutator.(chroma.SerialisableMutator)
		r.simple = (single || c.Type == nil) && (knownMutator || c.Mutator == nil)
		r.named = !knownEmitter && c.Type != nil || !knownMutator && c.Mutator != nil
		if r.named {
			c.Regexp, _ = regexp2.Compile(r.pattern) // emitters may query the names of its groups
		}
		s.rules = append(s.rules, r)
	}
	for c := range s.byChar {
		for _, r := range s.rules {
			if r.first.has(byte(c)) {
				s.byChar[c] = append(s.byChar[c], r)
			}
		}
	}
	return s
}
