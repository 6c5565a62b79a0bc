package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// This file paces the garbage collector of a process that does one export and ends. As Go comes, the heap may grow to twice of what is in
// use: too little for a small site, where the collector runs all the time to save memory that nobody lacks, and too much for a very large
// one. Here it may always grow to a fixed size, and beyond that only by a share of what is in use. A server is left alone: it has other
// things to do, and its operator sets limits for all of them.

const (
	heapRoom = 144 << 20 // bytes that the heap may always have; the process takes some 80 MB more
	leastPct = 40        // of what is in use: the collector would otherwise have no time for anything else
	mostPct  = 200       // more than this saves hardly any time
	usualPct = 100       // what Go begins with
)

// heapPercent is how much the heap may grow until the next collection, in percent of what is in use, which is given in bytes.
func heapPercent(inUse uint64) int {
	if inUse == 0 {
		return mostPct
	}
	if inUse >= heapRoom {
		return leastPct
	}
	return int(min(mostPct, max(leastPct, (heapRoom-inUse)*100/inUse)))
}

// pacer sets that after every collection.
type pacer struct {
	mu   sync.Mutex
	done bool
	set  int // percent, as set last
}

// paceCollector begins to pace the collector, until stop is called. It does nothing when somebody has set GOGC.
func paceCollector() (stop func()) {
	before := debug.SetGCPercent(mostPct)
	if before != usualPct {
		debug.SetGCPercent(before)
		return func() {}
	}
	p := &pacer{set: mostPct}
	p.watch()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.done {
			p.done = true
			debug.SetGCPercent(before)
		}
	}
}

// watch waits for the next collection: it takes what nobody refers to.
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
		if percent := heapPercent(live[0].Value.Uint64()); percent != p.set {
			p.set = percent
			debug.SetGCPercent(percent)
		}
	}
	p.watch()
}
