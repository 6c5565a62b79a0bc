package guard

// automaton finds any of many patterns in one pass over a text (Aho–Corasick): each state has a transition for every
// byte and stores the length of the longest pattern that ends there. Bytes that occur in no pattern share one column,
// which keeps the table small.
type automaton struct {
	class   [256]uint8 // byte → column; 0 = not in any pattern
	columns int
	next    []int32 // state × column → state
	longest []int32 // length in bytes of the longest pattern that ends in a state; 0 = none
}

// newAutomaton builds the table. It returns nil if there are no patterns.
func newAutomaton(patterns []string) *automaton {
	if len(patterns) == 0 {
		return nil
	}
	a := &automaton{columns: 1}
	var seen [256]bool
	for _, p := range patterns {
		for i := range len(p) {
			seen[p[i]] = true
		}
	}
	for b, has := range seen {
		if has && a.columns < 256 {
			a.class[b] = uint8(a.columns)
			a.columns++
		}
	}
	a.state()
	for _, p := range patterns {
		a.insert(p)
	}
	a.link()
	return a
}

func (a *automaton) state() int32 {
	a.next = append(a.next, make([]int32, a.columns)...)
	a.longest = append(a.longest, 0)
	return int32(len(a.longest) - 1)
}

func (a *automaton) insert(p string) {
	at := int32(0)
	for i := range len(p) {
		edge := int(at)*a.columns + int(a.class[p[i]])
		if a.next[edge] == 0 {
			made := a.state()
			a.next[edge] = made
		}
		at = a.next[edge]
	}
	a.longest[at] = int32(len(p))
}

// link fills in the transitions where no pattern continues: to the longest suffix of the text read so far that is a
// prefix of a pattern. States are visited by depth, because each depends on shallower ones.
func (a *automaton) link() {
	back := make([]int32, len(a.longest))
	var order []int32
	for c := range a.columns {
		if s := a.next[c]; s != 0 {
			order = append(order, s)
		}
	}
	for i := 0; i < len(order); i++ {
		s := order[i]
		a.longest[s] = max(a.longest[s], a.longest[back[s]])
		for c := range a.columns {
			edge, other := int(s)*a.columns+c, a.next[int(back[s])*a.columns+c]
			if child := a.next[edge]; child != 0 {
				back[child] = other
				order = append(order, child)
			} else {
				a.next[edge] = other
			}
		}
	}
}

// all finds all occurrences of all patterns; overlapping ones are merged.
func (a *automaton) all(text, what string) []span {
	var out []span
	at := int32(0)
	for i := range len(text) {
		c := a.class[text[i]]
		at = a.next[int(at)*a.columns+int(c)]
		n := int(a.longest[at])
		if n == 0 {
			continue
		}
		from := i + 1 - n
		for len(out) > 0 && from <= out[len(out)-1].to {
			from = min(from, out[len(out)-1].from)
			out = out[:len(out)-1]
		}
		out = append(out, span{from, i + 1, what})
	}
	return out
}
