package daemon

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// quietTime is how long no task runs before memory is given back: longer than the pauses between tasks that follow one
// another, since the next one would only ask for the memory again. After idleTime, which people rarely let pass between
// two edits, it is worth to load again what builds share.
const (
	quietTime = 10 * time.Second
	idleTime  = 30 * time.Second
)

// memory gives back what builds needed. The runtime would do that over some minutes, and keeps as much again as is in
// use. It is safe for concurrent use.
type memory struct {
	free    func() // returns unused memory to the operating system
	forget  func() // drops what builds share; no task runs meanwhile
	release func() // returns pages of the program's file, after the above

	mu          sync.Mutex
	running     int
	quiet, idle *time.Timer
}

// newMemory also waits for a quiet time after the start, which leaves garbage of its own.
func newMemory(forget, release func()) *memory {
	return newMemoryWith(func() {
		runtime.GC() // what pools of buffers hold survives one collection, and FreeOSMemory is the second
		debug.FreeOSMemory()
	}, forget, release)
}

func newMemoryWith(free, forget, release func()) *memory {
	m := &memory{free: free, forget: forget, release: release}
	m.quiet = time.AfterFunc(quietTime, func() { m.giveBack(false) })
	m.idle = time.AfterFunc(idleTime, func() { m.giveBack(true) })
	return m
}

// use notes that a task begins; the function returned, that it has ended.
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
	busy := m.running > 0 // a task began while the timer fired
	if idle && !busy {
		m.forget() // a task that begins now waits for it
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
