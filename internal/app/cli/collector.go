package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// This file paces the garbage collector of a process that does one export and ends. As Go comes, the heap may grow to
// twice of what is in use: too little for a small site, where the collector runs all the time to save memory that
// is not scarce, and too much for a very large one. Here it may always grow to a fixed size, and beyond that only by a
// share of what is in use. All that the process has from the system, but for the program itself, has a limit too, near
// which the collector gives memory back at once. A server is left alone: it has other things to do, and its operator
// sets limits for all of them.

const (
	heapRoom = 144 << 20 // bytes that the heap may always have; the process takes some 80 MB more
	leastPct = 40        // of what is in use: the collector would otherwise have no time for anything else
	mostPct  = 300       // more than this saves hardly any time
	usualPct = 100       // what Go begins with

	memoryRoof = 192 << 20 // bytes that the process should not go beyond; the program itself takes some 40 MB more
	slackRoom  = 24 << 20  // bytes beside the heap, and what lies idle in it
	// of what is in use, one part in five: with less, a very large site would do nothing but collect
	slackPart = 5
)

// heapPercent returns how much the heap may grow until the next collection, in percent of what is in use, which is
// given in bytes.
func heapPercent(inUse uint64) int {
	if inUse == 0 {
		return mostPct
	}
	if inUse >= heapRoom {
		return leastPct
	}
	return int(min(mostPct, max(leastPct, (heapRoom-inUse)*100/inUse)))
}

// memoryLimit returns what the process may have, in bytes. It does not hold a site up that needs more.
func memoryLimit(inUse uint64) int64 {
	inUse = min(inUse, math.MaxInt64/2)
	return int64(max(memoryRoof, inUse+inUse/slackPart+slackRoom))
}

// pacer sets both after every collection.
type pacer struct {
	mu   sync.Mutex
	done bool
	set  int   // percent, as set last
	most int64 // bytes, as set last
}

// paceCollector begins to pace the collector, until stop is called. It does nothing when somebody has set GOGC or
// GOMEMLIMIT.
func paceCollector() (stop func()) {
	before, limit := debug.SetGCPercent(mostPct), debug.SetMemoryLimit(-1)
	if before != usualPct || limit != math.MaxInt64 {
		debug.SetGCPercent(before)
		return func() {}
	}
	p := &pacer{set: mostPct, most: memoryRoof}
	debug.SetMemoryLimit(memoryRoof)
	p.watch()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.done {
			p.done = true
			debug.SetGCPercent(before)
			debug.SetMemoryLimit(limit)
		}
	}
}

// watch waits for the next collection: it frees what is unreferenced.
func (p *pacer) watch() {
	runtime.AddCleanup(&[64]byte{}, func(p *pacer) { p.collected() }, p)
}

func (p *pacer) collected() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.done {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	if metrics.Read(live); live[0].Value.Kind() == metrics.KindUint64 {
		inUse := live[0].Value.Uint64()
		if percent := heapPercent(inUse); percent != p.set {
			p.set = percent
			debug.SetGCPercent(percent)
		}
		if most := memoryLimit(inUse); most != p.most {
			p.most = most
			debug.SetMemoryLimit(most)
		}
	}
	p.watch()
}
