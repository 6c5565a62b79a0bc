package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// This file tunes the garbage collector for a process that runs one export and exits. By default, Go lets the heap grow
// to twice the live size. On a small site, the collector then runs all the time to save memory that is not scarce; on a
// very large one, the process uses too much memory. Here the heap may always grow to a fixed size, and beyond that only
// by a fraction of the live size. There is also a memory limit, near which the collector returns memory to the system
// immediately. A server does not use this: it has other work to do, and its operator sets limits for the whole process.

const (
	heapRoom = 144 << 20 // bytes that the heap may always use; the process takes some 80 MB more
	leastPct = 40        // of the live heap: with less, the collector would use all the time
	mostPct  = 300       // higher values save almost no time
	usualPct = 100       // Go's default

	memoryRoof = 192 << 20 // target for the process in bytes; the program itself takes some 40 MB more
	slackRoom  = 24 << 20  // bytes in addition to the heap, including its idle memory
	// divisor of the live heap: with less extra memory, a very large site would spend all its time collecting
	slackPart = 5
)

// heapPercent returns how much the heap may grow until the next collection, in percent of the live heap (in bytes).
func heapPercent(inUse uint64) int {
	if inUse == 0 {
		return mostPct
	}
	if inUse >= heapRoom {
		return leastPct
	}
	return int(min(mostPct, max(leastPct, (heapRoom-inUse)*100/inUse)))
}

// memoryLimit returns the memory limit of the process in bytes. It rises with the live heap, so a site that needs
// more is not slowed down.
func memoryLimit(inUse uint64) int64 {
	inUse = min(inUse, math.MaxInt64/2)
	return int64(max(memoryRoof, inUse+inUse/slackPart+slackRoom))
}

// pacer adjusts both values after every collection.
type pacer struct {
	mu   sync.Mutex
	done bool
	set  int   // current GC percentage
	most int64 // current limit in bytes
}

// paceCollector starts tuning the collector until stop is called. It does nothing if GOGC or GOMEMLIMIT is set.
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

// watch waits for the next collection by registering a cleanup for an unreferenced object.
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
