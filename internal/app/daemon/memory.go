package daemon

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// quietTime is the pause between tasks after which memory is returned to the system. It is longer than the pauses
// between consecutive tasks, because the next task would only request the memory again. idleTime is the pause after
// which data shared by builds is dropped. Loading it again takes time, but people rarely pause that long between two
// edits.
const (
	quietTime = 10 * time.Second
	idleTime  = 30 * time.Second
)

// memory returns memory used by builds to the system. On its own, the runtime would take several minutes for that and
// would keep as much unused memory as is in use. It is safe for concurrent use.
type memory struct {
	free    func() // returns unused memory to the operating system
	forget  func() // drops data shared by builds; no task runs at that time
	release func() // unmaps pages of the program's file; called last

	mu          sync.Mutex
	running     int
	quiet, idle *time.Timer
}

// newMemory returns a memory that also waits for a quiet time after startup, which leaves garbage too.
func newMemory(forget, release func()) *memory {
	return newMemoryWith(func() {
		runtime.GC() // buffers in pools survive one collection; FreeOSMemory runs the second
		debug.FreeOSMemory()
	}, forget, release)
}

func newMemoryWith(free, forget, release func()) *memory {
	m := &memory{free: free, forget: forget, release: release}
	m.quiet = time.AfterFunc(quietTime, func() { m.giveBack(false) })
	m.idle = time.AfterFunc(idleTime, func() { m.giveBack(true) })
	return m
}

// use records the start of a task; the returned function records its end.
func (m *memory) use() (ended func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running++
	m.quiet.Stop()
	m.idle.Stop()
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running--; m.running == 0 {
			m.quiet.Reset(quietTime)
			m.idle.Reset(idleTime)
		}
	}
}

func (m *memory) giveBack(idle bool) {
	m.mu.Lock()
	busy := m.running > 0 // a task started while the timer fired
	if idle && !busy {
		m.forget() // a task that starts now waits for this
	}
	m.mu.Unlock()
	if !busy {
		m.free()
	}
	if idle && !busy {
		m.release()
	}
}

func (m *memory) close() error {
	m.quiet.Stop()
	m.idle.Stop()
	return nil
}
