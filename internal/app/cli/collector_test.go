package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

func TestHeapGrowthDependsOnTheHeapSize(t *testing.T) {
	t.Parallel()
	for inUse, want := range map[uint64]int{0: mostPct, 1 << 20: mostPct, heapRoom / 2: 100, heapRoom: leastPct,
		10 * heapRoom: leastPct, math.MaxUint64: leastPct} {
		if got := heapPercent(inUse); got != want {
			t.Errorf("%d bytes in use: %d %%, want %d", inUse, got, want)
		}
	}
	for inUse := uint64(1); inUse < heapRoom; inUse = inUse*3/2 + 1 {
		if p := heapPercent(inUse); inUse+inUse*uint64(p)/100 > max(heapRoom, inUse+inUse*leastPct/100) ||
			p < leastPct {
			t.Errorf("%d bytes in use may grow by %d %%", inUse, p)
		}
	}
}

func TestMemoryLimitLeavesRoomForTheExport(t *testing.T) {
	t.Parallel()
	for inUse, want := range map[uint64]int64{0: memoryRoof, memoryRoof / 2: memoryRoof, 5 << 30: 6<<30 + slackRoom} {
		if got := memoryLimit(inUse); got != want {
			t.Errorf("%d bytes in use: %d, want %d", inUse, got, want)
		}
	}
	if got := memoryLimit(math.MaxUint64); got < 1<<40 {
		t.Errorf("%d for the maximum memory", got)
	}
}

func TestCollectorSettingsAreRestoredAfterExport(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usualPct))
	stop := paceCollector()
	held := make([]byte, heapRoom) // as much as a very large site uses
	for percent := 0; percent != leastPct; {
		runtime.GC() // cleanups run concurrently: another collection may be needed
		percent = debug.SetGCPercent(leastPct)
		debug.SetGCPercent(percent)
		runtime.Gosched()
	}
	runtime.KeepAlive(held)
	stop()
	stop()
	runtime.GC()
	if got := debug.SetGCPercent(usualPct); got != usualPct {
		t.Errorf("%d %% after the export", got)
	}
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("a limit of %d after the export", got)
	}
	debug.SetGCPercent(30)
	paceCollector()()
	if got := debug.SetGCPercent(usualPct); got != 30 {
		t.Errorf("the configured value became %d", got)
	}
}
