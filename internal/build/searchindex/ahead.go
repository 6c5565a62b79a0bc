package searchindex

import "errors"

// Limits of mergeAhead: the number of batches merged in advance, and the size of a batch's lists in bytes.
const (
	aheadBatches = 4
	aheadBytes   = 128 << 10
)

// merged is a batch of terms with their lists.
type merged struct {
	terms [][]byte
	lists []list
	n     int // number of used elements; the memory of the others is kept
	bytes int
}

// next returns memory for another term and its list.
func (m *merged) next() (term *[]byte, l *list) {
	if m.n == len(m.lists) {
		m.terms, m.lists = append(m.terms, nil), append(m.lists, list{})
	}
	m.n++
	return &m.terms[m.n-1], &m.lists[m.n-1]
}

// aheadKept is the maximum length of a list whose memory is reused, in bytes.
const aheadKept = 4 << 10

func (m *merged) reset() {
	for i := range m.lists[:m.n] {
		if l := &m.lists[i]; cap(l.rest)+cap(l.levels) > aheadKept {
			*l = list{}
		}
	}
	m.n, m.bytes = 0, 0
}

var errStopped = errors.New("merge was stopped")

// mergeAhead is like merge, but calls each in this goroutine and merges in another one.
func mergeAhead(runs []run, each func(term []byte, l *list) error) (err error) {
	full, empty := make(chan *merged, aheadBatches), make(chan *merged, aheadBatches)
	for range aheadBatches {
		empty <- &merged{}
	}
	stop, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(full)
		batch := <-empty
		err := merge(runs, func(term []byte, l *list) error {
			t, to := batch.next()
			*t = append((*t)[:0], term...)
			to.copy(l)
			if batch.bytes += len(l.rest) + len(l.levels) + len(term); batch.bytes < aheadBytes {
				return nil
			}
			full <- batch // it has room for all batches
			select {
			case batch = <-empty:
				return nil
			case <-stop:
				return errStopped
			}
		})
		if err == nil {
			full <- batch
		}
		failed <- err
	}()
	for batch := range full {
		for i := 0; i < batch.n && err == nil; i++ {
			if err = each(batch.terms[i], &batch.lists[i]); err != nil {
				close(stop)
			}
		}
		batch.reset()
		empty <- batch
	}
	if other := <-failed; err == nil {
		err = other
	}
	return err
}

// copy makes l equal to another list, using its own memory.
func (l *list) copy(from *list) {
	rest, levels := append(l.rest[:0], from.rest...), append(l.levels[:0], from.levels...)
	*l = *from
	l.rest, l.levels = rest, levels
}
