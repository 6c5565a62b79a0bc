package highlight

import (
	"encoding/binary"
	"regexp/syntax"
	"sync"
	"sync/atomic"
	"unicode"
)

// Limits of one automaton. A rule that exceeds them uses the regular expression.
const (
	maxProgram = 20_000 // instructions
	maxStates  = 2_000
)

// automaton matches one pattern at one position, in one pass over the text and without allocating. Its states are sets
// of instructions of the compiled pattern, ordered by preference, and are created when first needed. It supports only
// printable ASCII, for which both regexp libraries define the same character classes, and gives up at any other
// character. It is safe for concurrent use.
type automaton struct {
	exact   bool      // it returns the same match as the regular expression; otherwise it can only rule out a match
	behind  *firstSet // characters that may precede a match; nil = any
	program *syntax.Prog
	class   [128]uint8 // class of each character; the pattern treats all characters of a class alike
	sample  []rune     // one character of each class, then -1 for the end of the text
	full    atomic.Bool
	starts  [4]atomic.Pointer[place] // by kind of the preceding character

	mu     sync.Mutex // guards the following fields and the creation of states
	places map[string]*place
	seen   []uint32 // instruction → last round in which it was visited
	round  uint32
}

// place is a state of an automaton.
type place struct {
	before  rune                   // the last character read: -1 for none, otherwise a sample of its kind
	threads []uint32               // instructions to continue with, the preferred ones first
	next    []atomic.Pointer[edge] // by character class
}

// edge is the transition for a character.
type edge struct {
	match bool   // the pattern matches the text before the character
	to    *place // nil if no longer match is possible
}

// Results of match other than a length.
const (
	noMatch = -1
	gaveUp  = -2
)

// strange is the class of characters that the automaton does not support.
const strange = 255

// classify groups characters into classes. No instruction distinguishes between the characters of a class.
func (a *automaton) classify() {
	var border [129]bool
	mark := func(lo, hi rune) { // a class begins at lo and another one after hi
		border[min(max(lo, 0), 128)] = true
		border[min(max(hi+1, 0), 128)] = true
	}
	for _, r := range [][2]rune{{0, 8}, {9, 9}, {'\n', '\n'}, {'\r', '\r'}, {' ', 126}, {'0', '9'}, {'A', 'Z'},
		{'_', '_'}, {'a', 'z'}} {
		mark(r[0], r[1])
	}
	for i := range a.program.Inst {
		in := &a.program.Inst[i]
		switch in.Op {
		case syntax.InstRune, syntax.InstRune1:
			for j := 0; j < len(in.Rune); j += 2 {
				lo, hi := in.Rune[j], in.Rune[min(j+1, len(in.Rune)-1)]
				mark(lo, hi)
				if len(in.Rune) == 1 { // the other letter cases, if the pattern ignores case
					for r := unicode.SimpleFold(lo); r != lo; r = unicode.SimpleFold(r) {
						mark(r, r)
					}
				}
			}
		}
	}
	n := -1
	for c := range rune(128) {
		if border[c] || n < 0 {
			n++
			a.sample = append(a.sample, c)
		}
		a.class[c] = uint8(n)
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 127 {
			a.class[c] = strange
		}
	}
	a.sample = append(a.sample, -1)
}

// kind returns a sample that stands for all characters which the pattern's conditions cannot distinguish from r.
func kind(r rune) (sample rune, index int) {
	switch {
	case r < 0:
		return -1, 0
	case r == '\n':
		return '\n', 1
	case syntax.IsWordChar(r):
		return 'a', 2
	}
	return ' ', 3
}

// match returns the length of the match at pos, noMatch, or gaveUp if the regular expression must decide.
func (a *automaton) match(text []rune, pos int) int {
	before := rune(-1)
	if pos > 0 {
		before = text[pos-1]
	}
	if before >= 128 || before >= 0 && a.class[before] == strange || a.full.Load() {
		return gaveUp
	}
	if a.behind != nil && (before < 0 || !a.behind.has(byte(before))) {
		return noMatch
	}
	sample, index := kind(before)
	p := a.starts[index].Load()
	if p == nil {
		p = a.start(sample, index)
	}
	end := len(a.sample) - 1
	found := noMatch
	for i := pos; p != nil; i++ {
		class := end
		if i < len(text) {
			if text[i] >= 128 {
				return gaveUp
			}
			if class = int(a.class[text[i]]); class == strange {
				return gaveUp
			}
		}
		e := p.next[class].Load()
		if e == nil {
			if e = a.step(p, class); e == nil {
				return gaveUp
			}
		}
		if e.match {
			found = i - pos
		}
		p = e.to
	}
	return found
}

func (a *automaton) start(before rune, index int) *place {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.place(before, []uint32{uint32(a.program.Start)})
	a.starts[index].Store(p)
	return p
}

// place finds or creates a state. The caller must hold the lock.
func (a *automaton) place(before rune, threads []uint32) *place {
	key := binary.AppendVarint(nil, int64(before))
	for _, t := range threads {
		key = binary.AppendUvarint(key, uint64(t))
	}
	if p := a.places[string(key)]; p != nil {
		return p
	}
	p := &place{before: before, threads: threads, next: make([]atomic.Pointer[edge], len(a.sample))}
	a.places[string(key)] = p
	return p
}

// step creates the edge for a class. It returns nil if there are too many states.
func (a *automaton) step(p *place, class int) *edge {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := p.next[class].Load(); e != nil {
		return e
	}
	if len(a.places) >= maxStates {
		a.full.Store(true)
		return nil
	}
	c := a.sample[class]
	e := &edge{}
	var ready []uint32
	a.round++
	for _, t := range p.threads {
		if ready, e.match = a.follow(ready, t, syntax.EmptyOpContext(p.before, c)); e.match {
			break // later threads are less preferred
		}
	}
	if c >= 0 {
		if next := a.read(ready, c); len(next) > 0 {
			before, _ := kind(c)
			e.to = a.place(before, next)
		}
	}
	p.next[class].Store(e)
	return e
}

// read returns the instructions that follow those of the threads that accept c.
func (a *automaton) read(ready []uint32, c rune) (next []uint32) {
	a.round++
	for _, t := range ready {
		in := &a.program.Inst[t]
		if in.MatchRune(c) && a.seen[in.Out] != a.round {
			a.seen[in.Out] = a.round
			next = append(next, in.Out)
		}
	}
	return next
}

// follow adds the instructions that read a character and are reachable from t without reading one, the preferred ones
// first. It stops at a match.
func (a *automaton) follow(ready []uint32, t uint32, holds syntax.EmptyOp) (out []uint32, match bool) {
	for a.seen[t] != a.round {
		a.seen[t] = a.round
		in := &a.program.Inst[t]
		switch in.Op {
		case syntax.InstMatch:
			return ready, true
		case syntax.InstFail:
			return ready, false
		case syntax.InstAlt, syntax.InstAltMatch:
			if ready, match = a.follow(ready, in.Out, holds); match {
				return ready, true
			}
			t = in.Arg
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^holds != 0 {
				return ready, false
			}
			t = in.Out
		case syntax.InstCapture, syntax.InstNop:
			t = in.Out
		default:
			return append(ready, t), false
		}
	}
	return ready, false
}
