package searchindex

import (
	"bytes"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"

	"github.com/lectern-docs/lectern/internal/site/output"
)

// errReuse ends a merge at the first term of an unchanged shard.
var errReuse = errors.New("the next shard is unchanged")

// reusable reports whether the next shard is the same as in the earlier index. It must start with the same term, the
// lists of its terms and of the term after it must be the same, and the output must have it. The term after it matters
// because a shard ends before the first term that does not fit.
func (w *termWriter) reusable() bool {
	i := len(w.shards)
	if w.past == nil || i >= len(w.past.shards) {
		return false
	}
	s, all := w.past.shards[i], w.past.shards
	if s.start != w.next.start {
		return false
	}
	at, _ := slices.BinarySearch(w.past.changed, s.start)
	if at < len(w.past.changed) && (i+1 == len(all) || w.past.changed[at] <= all[i+1].start) {
		return false
	}
	return w.holds(s.name(i), s.sum)
}

// name returns the name of shard i's file.
func (s *pastShard) name(i int) string { return fileName(termName+strconv.Itoa(i), s.shortSum()) }

func (s *pastShard) shortSum() string { return hex.EncodeToString(s.sum[:termSum/2]) }

// reuse queues the next shard, which is reusable.
func (w *termWriter) reuse() {
	i, all := len(w.shards), w.past.shards
	s := all[i]
	s.first = w.next.first
	for _, word := range s.words {
		w.words.put(word.text, word.score)
	}
	w.kept += len(s.words)
	p := &packing{done: make(chan struct{}), shard: s, sum: s.shortSum(),
		file: File{Name: s.name(i), Held: true, Packed: &output.Packed{Size: s.size, SHA256: s.sum}}}
	close(p.done)
	w.shards, w.queue = append(w.shards, s), append(w.queue, p)
	if w.done = i+1 == len(all); !w.done {
		w.next = pastShard{start: all[i+1].start, first: all[i+1].first}
	}
	w.last = ""
}

// mergeChanged is like merge, but only merges the terms of shards that differ from those of the earlier index.
func (w *termWriter) mergeChanged(runs []run, each func(term []byte, l *list) error) error {
	var t *tournament
	for {
		for !w.done && w.reusable() {
			w.reuse()
		}
		if err := w.write(w.most); err != nil || w.done || len(runs) == 0 {
			return err
		}
		if t == nil {
			var err error
			if t, err = newTournament(runs, min(max(bufferSeek, mergeSpace/len(runs)), bufferMin)); err != nil {
				return err
			}
		}
		if err := t.seek(w.next.start); err != nil {
			return err
		}
		if err := t.merge(runs[0].base, each); !errors.Is(err, errReuse) {
			return err
		}
	}
}

// bufferSeek is the minimum size of a buffer when all runs are read at once, regardless of their number.
const bufferSeek = 4 << 10

// termReader reads the terms of a run with their lists.
type termReader struct {
	cursor
	list list
	more bool
}

func (r *termReader) step() (err error) {
	if r.more, err = r.next(); err != nil || !r.more {
		return err
	}
	r.list.reset()
	return r.take(&r.list, r.base)
}

// differing returns the terms whose lists differ between two runs, relative to their bases.
func differing(a, b run) (out []string, err error) {
	x, y := termReader{cursor: a.open(bufferMin)}, termReader{cursor: b.open(bufferMin)}
	if err := errors.Join(x.step(), y.step()); err != nil {
		return nil, err
	}
	for err == nil && (x.more || y.more) {
		order := 0
		switch {
		case !x.more:
			order = 1
		case !y.more:
			order = -1
		default:
			order = bytes.Compare(x.term, y.term)
		}
		switch {
		case order > 0:
			out = append(out, string(y.term))
		case order < 0 || !x.list.equal(&y.list):
			out = append(out, string(x.term))
		}
		if order <= 0 {
			err = x.step()
		}
		if order >= 0 && err == nil {
			err = y.step()
		}
	}
	return out, err
}

func (l *list) equal(other *list) bool {
	return l.n == other.n && l.first == other.first && l.last == other.last && l.heading == other.heading &&
		bytes.Equal(l.rest, other.rest) && bytes.Equal(l.levels, other.levels)
}
