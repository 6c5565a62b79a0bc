package highlight

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
)

// token is a range of code that ends at byte end and has one class ("" is plain).
type token struct {
	class string
	end   int
}

// language is a lexer in chroma's format that is run by our engine. Its rules are compiled when first needed.
type language struct {
	lexer    chroma.Lexer
	registry *chroma.LexerRegistry // registry in which rules find embedded languages
	once     sync.Once
	states   map[string]*state // nil if the lexer has no rules that we can run; chroma's engine is then used
	rules    chroma.CompiledRules
}

// run is one pass of a language over a piece of code.
type run struct {
	lang   *language
	meter  *meter
	ls     *chroma.LexerState
	code   string
	bytes  []int // byte offset of each character, nil if all are one byte long
	end    int   // number of characters; ls.Text may have a line break after them
	pos    int   // number of bytes of code that out covers
	out    []token
	raw    []chroma.Token // for a run of an embedded language: the tokens, which are collected here instead of in out
	nested bool
	name   int // start of the last token in code if that token is a plain name; -1 otherwise
}

// tokens runs the language over code. ok is false if the rules failed; the tokens must then be discarded.
func (l *language) tokens(code, start string, m *meter, nested bool) (out []token, ok bool) {
	r := l.begin(code, start, m, nested)
	ok = r.all()
	return r.out, ok
}

func (l *language) begin(code, start string, m *meter, nested bool) *run {
	l.once.Do(l.compile)
	r := &run{lang: l, meter: m, code: code, nested: nested, name: -1}
	text := []rune(code)
	r.end = len(text)
	if r.end != len(code) {
		r.bytes = make([]int, 0, r.end+1)
		for i := range code {
			r.bytes = append(r.bytes, i)
		}
		r.bytes = append(r.bytes, len(code))
	}
	config := l.lexer.Config()
	if !nested && config.EnsureNL && !strings.HasSuffix(code, "\n") {
		text = append(text, '\n')
	}
	regexLexer, _ := l.lexer.(*chroma.RegexLexer)
	r.ls = &chroma.LexerState{
		Lexer: regexLexer, Registry: l.registry, Text: text, Rules: l.rules,
		Stack: []string{start}, MutatorContext: map[any]any{},
	}
	return r
}

// all runs to the end of the code. It recovers from panics, because the rules of several hundred third-party lexers may
// panic on unusual text.
func (r *run) all() (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	if r.lang.states == nil {
		return r.foreign()
	}
	for r.ls.Pos < r.end && len(r.ls.Stack) > 0 {
		if !r.step() {
			return false
		}
	}
	return r.pos == len(r.code) || r.emit(chroma.Error, r.code[r.pos:])
}

// foreign uses the lexer's own engine. It is for lexers that consist of more than rules.
func (r *run) foreign() bool {
	it, err := r.lang.lexer.Tokenise(nil, r.code)
	return err == nil && r.drain(it)
}

// step applies the first rule that matches at the current position.
func (r *run) step() bool {
	ls := r.ls
	name := ls.Stack[len(ls.Stack)-1]
	ls.State = name
	st := r.lang.states[name]
	if st == nil || len(ls.Stack) > maxDepth {
		return false
	}
	candidates := st.at(ls.Text[ls.Pos])
	if !r.meter.spend(len(candidates) + 1) {
		return false
	}
	for _, c := range candidates {
		length, groups, err := c.find(ls.Text, ls.Pos)
		if err != nil {
			return false // the rule took too long; applying another rule would give a wrong result
		}
		if length != noMatch {
			return r.apply(c, length, groups)
		}
	}
	if ls.Text[ls.Pos] == '\n' && name != "root" {
		ls.Stack = append(ls.Stack[:0], "root") // an unclosed string or similar token ends at the end of its line
		return true
	}
	ls.Pos++
	return r.advance(chroma.Error, ls.Pos)
}

// apply consumes a match, changes the state and emits its tokens.
func (r *run) apply(c *rule, length int, groups *match) bool {
	ls := r.ls
	ls.Pos += length
	ls.Rule = c.index
	if !c.simple {
		ls.Groups, ls.NamedGroups = ls.Groups[:0], nil
		for _, g := range groups.Groups() {
			ls.Groups = append(ls.Groups, g.String())
			if c.named {
				if ls.NamedGroups == nil {
					ls.NamedGroups = map[string]string{}
				}
				ls.NamedGroups[g.Name] = g.String()
			}
		}
	}
	if c.Mutator != nil {
		if c.Mutator.Mutate(ls) != nil {
			return false
		}
	}
	switch typ := c.Type.(type) {
	case nil:
		return true
	case chroma.TokenType:
		return r.advance(typ, ls.Pos)
	}
	return r.drain(c.Type.Emit(ls.Groups, ls))
}

// advance emits the code before character to as one token.
func (r *run) advance(typ chroma.TokenType, to int) bool {
	to = min(to, r.end)
	if r.bytes != nil {
		to = r.bytes[to]
	}
	if to < r.pos {
		return false
	}
	return r.emit(typ, r.code[r.pos:to])
}

func (r *run) drain(it chroma.Iterator) bool {
	for t := it(); t != chroma.EOF; t = it() {
		if t.Type == chroma.Ignore {
			continue
		}
		if !r.meter.spend(1) || !r.emit(t.Type, t.Value) {
			return false
		}
	}
	return true
}

// emit adds a token. It fails if the text is not the next part of the code, because some rules lose or change text.
func (r *run) emit(typ chroma.TokenType, text string) bool {
	rest := r.code[r.pos:]
	if !strings.HasPrefix(rest, text) {
		if strings.TrimSuffix(text, "\n") != rest {
			return false
		}
		text = rest // without the line break that was added at the end
	}
	if text == "" {
		return true
	}
	r.pos += len(text)
	if r.nested {
		r.raw = append(r.raw, chroma.Token{Type: typ, Value: text})
		return true
	}
	r.colourCall(text)
	class := classOf(typ)
	if class == "" && typ.InCategory(chroma.Name) {
		r.name = r.pos - len(text)
	}
	if strings.TrimSpace(text) == "" && class != "" && len(r.out) > 0 {
		class = r.out[len(r.out)-1].class // white space has no colour: merge it with the preceding token
	}
	if n := len(r.out); n > 0 && r.out[n-1].class == class {
		r.out[n-1].end = r.pos
		return true
	}
	r.out = append(r.out, token{class: class, end: r.pos})
	return true
}

// colourCall marks a plain name before a bracket as a function. Few of chroma's lexers do this.
func (r *run) colourCall(text string) {
	start, end := r.name, r.pos-len(text)
	r.name = -1
	n := len(r.out)
	if start < 0 || text[0] != '(' || n == 0 || r.out[n-1].end != end {
		return
	}
	before := 0
	if n > 1 {
		before = r.out[n-2].end
	}
	if start > before {
		r.out[n-1].end = start
		r.out = append(r.out, token{class: "f", end: end})
	} else {
		r.out[n-1].class = "f"
	}
}

// inner is a language embedded in another language.
type inner struct{ *language }

func (n inner) Config() *chroma.Config                             { return n.lexer.Config() }
func (n inner) SetRegistry(*chroma.LexerRegistry) chroma.Lexer     { return n }
func (n inner) SetAnalyser(func(text string) float32) chroma.Lexer { return n }
func (n inner) AnalyseText(string) float32                         { return 0 }

// Tokenise runs our engine on an embedded piece of code. If it fails, the piece is plain text.
func (n inner) Tokenise(options *chroma.TokeniseOptions, text string) (chroma.Iterator, error) {
	start := "root"
	if options != nil && options.State != "" {
		start = options.State
	}
	if tooLarge(text) || !utf8.ValidString(text) {
		return chroma.Literator(chroma.Token{Type: chroma.Text, Value: text}), nil
	}
	m := newMeter(len(text))
	defer m.stop()
	r := n.begin(text, start, m, true)
	if !r.all() {
		return chroma.Literator(chroma.Token{Type: chroma.Text, Value: text}), nil
	}
	return chroma.Literator(r.raw...), nil
}
