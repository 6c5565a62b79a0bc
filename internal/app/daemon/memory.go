package daemon

import (
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// quietTime is how long no task runs before memory is given back: longer than the pauses between tasks that follow one
// another, since the next one would only ask for the memory again.
const quietTime = 10 * time.Second

// memory gives back what builds needed. The runtime would do that over some minutes, and keeps as much again as is in
// use. It is safe for concurrent use.
type memory struct {
	free func() // returns unused memory to the operating system

	mu      sync.Mutex
	running int
	quiet   *time.Timer
}

// newMemory also waits for a quiet time after the start, which leaves garbage of its own.
func newMemory() *memory {
	return newMemoryWith(func() {
		runtime.GC() // what pools of buffers hold survives one collection, and FreeOSMemory is the second
		debug.FreeOSMemory()
	})
}

func newMemoryWith(free func()) *memory {
	m := &memory{free: free}
	m.quiet = time.AfterFunc(quietTime, m.release)
	return m
}

// use notes that a task begins; the function returned, that it has ended.
func (m *memory) use() (ended func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running++
	m.quiet.Stop()
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.running--; m.running == 0 {
			m.quiet.Reset(quietTime)
		}
	}
}

func (m *memory) release() {
	m.mu.Lock()
	busy := m.running > 0 // a task began while the timer fired
	m.mu.Unlock()
	if !busy {
		m.free()
	}
}

func (m *memory) close() error {
	m.quiet.Stop()
	return nil
}
