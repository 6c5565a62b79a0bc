package searchindex

import (
	"bytes"
	"math"
)

// Bounds of a merge: how many runs are read at once, and through which buffers, in bytes. More runs are merged in
// passes.
const (
	mergeMax   = 256
	mergeSpace = 4 << 20
	bufferMin  = mergeSpace / mergeMax
	bufferMax  = 256 << 10
)

// merge hands every term of some runs to each, in the order of bytes, with its lists put together. Chunks are counted
// from the base of the first run. Term and list are each's only until it returns.
func merge(runs []run, each func(term []byte, l *list) error) error {
	if len(runs) == 0 {
		return nil
	}
	t, err := newTournament(runs)
	if err != nil {
		return err
	}
	base := runs[0].base
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

// tournament finds the run with the least term: every match between two runs has a node, which remembers its loser, so
// that a run that goes on plays only those that it lost or won against.
type tournament struct {
	cursors []cursor
	keys    []termKey // of their terms: most matches are decided by them
	ended   []bool
	losers  []int32 // by node; node 1 is the last match
	winner  int32
}

// termKey is the first bytes of a term and its size. It is the whole term when that is short enough.
type termKey struct {
	prefix uint64
	size   int
}

const keyBytes = 8

func newTournament(runs []run) (*tournament, error) {
	n := len(runs)
	t := &tournament{cursors: make([]cursor, n), keys: make([]termKey, n), ended: make([]bool, n),
		losers: make([]int32, n)}
	buffer := min(max(bufferMin, mergeSpace/n), bufferMax)
	winners := make([]int32, 2*n)
	for i, r := range runs {
		t.cursors[i] = r.open(buffer)
		if err := t.step(int32(i)); err != nil {
			return nil, err
		}
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
	return t, nil
}

// done reports whether all runs have ended.
func (t *tournament) done() bool { return t.ended[t.winner] }

// step goes to the next term of a run.
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

// advance goes to the next term of the winner and finds the new one.
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

// before orders runs by their terms and, at the same term, as their chunks are.
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

// fewer merges runs until they are few enough to be read at once.
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

// mergeRuns makes one run of several that follow each other.
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
