package telemetry

import (
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// family is all series of one name. Series are made when they are first used and stay for ever, so labels must have few values.
type family struct {
	name, help, kind string    // kind: counter, gauge, histogram
	labels           []string  // in the order in which values are given
	buckets          []float64 // histogram: upper bounds, rising
	ask              func() []sample

	mu     sync.RWMutex
	series map[string]*series // by the values of the labels; guarded by mu
}

// sample is a series whose value is read on every scrape.
type sample struct {
	values []string // of the family's labels
	value  float64
}

// series is one line of a family, or one histogram. Safe for concurrent use.
type series struct {
	values []string
	n      atomic.Int64  // counter or gauge; histogram: how many were observed
	sum    atomic.Uint64 // histogram: sum of what was observed, as the bits of a float64
	within []atomic.Int64
}

func (s *series) add(n int64) { s.n.Add(n) }

// with finds the series of these values.
func (f *family) with(values ...string) *series {
	key := strings.Join(values, "\xff") // no text of ours holds that byte
	f.mu.RLock()
	s, ok := f.series[key]
	f.mu.RUnlock()
	if ok {
		return s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok = f.series[key]; ok {
		return s
	}
	s = &series{values: slices.Clone(values), within: make([]atomic.Int64, len(f.buckets))}
	if f.series == nil {
		f.series = map[string]*series{}
	}
	f.series[key] = s
	return s
}

// observe adds a value to a histogram with these bounds. A reader may see the value in its bucket before it is in the sum.
func (s *series) observe(buckets []float64, v float64) {
	if i, _ := slices.BinarySearch(buckets, v); i < len(buckets) {
		s.within[i].Add(1)
	}
	for {
		old := s.sum.Load()
		if s.sum.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+v)) {
			break
		}
	}
	s.n.Add(1)
}

// sorted is the family's series in the order of their values.
func (f *family) sorted() []*series {
	f.mu.RLock()
	defer f.mu.RUnlock()
	out := make([]*series, 0, len(f.series))
	for _, s := range f.series {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *series) int { return slices.Compare(a.values, b.values) })
	return out
}
