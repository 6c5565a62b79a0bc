package searchindex

import (
	"bytes"
	"math"
)

// Limits of a merge: the number of runs that are read at once, and the sizes of their buffers in bytes. More runs are
// merged in passes.
const (
	mergeMax   = 256
	mergeSpace = 4 << 20
	bufferMin  = mergeSpace / mergeMax
	bufferMax  = 256 << 10
)

// merge calls each for every term of the runs, in byte order, with its joined lists. Chunks are relative to the base
// of the first run. term and l are valid until each returns.
func merge(runs []run, each func(term []byte, l *list) error) error {
	if len(runs) == 0 {
		return nil
	}
	t, err := newTournament(runs, min(max(bufferMin, mergeSpace/len(runs)), bufferMax))
	if err != nil {
		return err
	}
	return t.merge(runs[0].base, each)
}

// merge merges the rest of the runs. Chunks are relative to base.
func (t *tournament) merge(base int, each func(term []byte, l *list) error) error {
	var l list
	var term []byte
	for !t.done() {
		term = append(term[:0], t.cursors[t.winner].term...)
		l.reset()
		for now := t.keys[t.winner]; t.keys[t.winner] == now && !t.done(); {
			c := &t.cursors[t.winner]
			if now.size > keyBytes && !bytes.Equal(c.term, term) {
				break
			}
			if err := c.take(&l, base); err != nil {
				return err
			}
			if err := t.advance(); err != nil {
				return err
			}
		}
		if err := each(term, &l); err != nil {
			return err
		}
	}
	return nil
}

// tournament finds the run with the smallest term. It is a tournament tree whose nodes store the losers, so that
// advancing the winner only requires the matches on its path to the root.
type tournament struct {
	cursors []cursor
	keys    []termKey // keys of the current terms; they decide most matches
	ended   []bool
	losers  []int32 // by node; node 1 is the last match
	winner  int32
}

// termKey contains the first bytes of a term and its size: the whole term if it is short enough.
type termKey struct {
	prefix uint64
	size   int
}

const keyBytes = 8

// newTournament opens runs with a buffer of the given size for each.
func newTournament(runs []run, buffer int) (*tournament, error) {
	n := len(runs)
	t := &tournament{cursors: make([]cursor, n), keys: make([]termKey, n), ended: make([]bool, n),
		losers: make([]int32, n)}
	for i, r := range runs {
		t.cursors[i] = r.open(buffer)
		if err := t.step(int32(i)); err != nil {
			return nil, err
		}
	}
	t.rank()
	return t, nil
}

// rank plays all matches.
func (t *tournament) rank() {
	n := len(t.cursors)
	winners := make([]int32, 2*n)
	for i := range n {
		winners[n+i] = int32(i)
	}
	for node := n - 1; node > 0; node-- {
		w, l := winners[2*node], winners[2*node+1]
		if t.before(l, w) {
			w, l = l, w
		}
		winners[node], t.losers[node] = w, l
	}
	t.winner = winners[1]
}

// seek advances every run to its first term that does not come before the given one.
func (t *tournament) seek(term string) error {
	for i := range t.cursors {
		for c := &t.cursors[i]; !t.ended[i] && string(c.term) < term; {
			if err := c.skip(); err != nil {
				return err
			}
			if err := t.step(int32(i)); err != nil {
				return err
			}
		}
	}
	t.rank()
	return nil
}

// done reports whether all runs have ended.
func (t *tournament) done() bool { return t.ended[t.winner] }

// step advances a run to its next term.
func (t *tournament) step(i int32) error {
	c := &t.cursors[i]
	ok, err := c.next()
	if err != nil {
		return err
	}
	if !ok {
		t.ended[i], t.keys[i] = true, termKey{math.MaxUint64, math.MaxInt}
		return nil
	}
	t.keys[i] = termKey{prefixKey(c.term), len(c.term)}
	return nil
}

// advance advances the winner to its next term and finds the new winner.
func (t *tournament) advance() error {
	w := t.winner
	if err := t.step(w); err != nil {
		return err
	}
	for node := (int(w) + len(t.cursors)) / 2; node > 0; node /= 2 {
		if l := t.losers[node]; t.before(l, w) {
			t.losers[node], w = w, l
		}
	}
	t.winner = w
	return nil
}

// before orders runs by their terms and, for the same term, in the order of their chunks.
func (t *tournament) before(i, j int32) bool {
	a, b := &t.keys[i], &t.keys[j]
	switch {
	case a.prefix != b.prefix:
		return a.prefix < b.prefix
	case t.ended[i] || t.ended[j]:
		return !t.ended[i]
	case a.size <= keyBytes && b.size <= keyBytes:
		return a.size < b.size || a.size == b.size && i < j
	}
	if c := bytes.Compare(t.cursors[i].term, t.cursors[j].term); c != 0 {
		return c < 0
	}
	return i < j
}

// fewer merges runs until there are few enough to read all of them at once.
func (b *Builder) fewer() error {
	for len(b.runs) > mergeMax {
		var out []run
		for from := 0; from < len(b.runs); from += mergeMax {
			r, err := b.mergeRuns(b.runs[from:min(from+mergeMax, len(b.runs))])
			if err != nil {
				return err
			}
			out = append(out, r)
		}
		b.runs = out
	}
	return nil
}

// mergeRuns merges consecutive runs into one.
func (b *Builder) mergeRuns(runs []run) (out run, err error) {
	out = run{from: b.spill.file, at: b.spill.end, base: runs[0].base}
	for _, r := range runs {
		out.chunks += r.chunks
	}
	var w listWriter
	var buf []byte
	flush := func() error {
		_, err := b.spill.add(buf)
		buf = buf[:0]
		return err
	}
	err = merge(runs, func(term []byte, l *list) error {
		w.list = *l
		out.terms++
		if buf = w.append(buf, string(term)); len(buf) < bufferMax {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	out.size = b.spill.end - out.at
	return out, err
}
