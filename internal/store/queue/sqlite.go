package queue

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// lookEvery is how often the file is checked for changes, and therefore the maximum delay of wake-ups from other
// processes.
const lookEvery = time.Second

// announcer collects the wake-ups that this process sends.
type announcer struct {
	mu    sync.Mutex
	lanes map[task.Lane]bool
	ring  chan struct{} // buffered, with room for one value: lanes has changed
}

func newAnnouncer() *announcer {
	return &announcer{lanes: map[task.Lane]bool{}, ring: make(chan struct{}, 1)}
}

func (a *announcer) announce(lanes []task.Lane) {
	a.mu.Lock()
	for _, name := range lanes {
		a.lanes[name] = true
	}
	a.mu.Unlock()
	select {
	case a.ring <- struct{}{}:
	default:
	}
}

func (a *announcer) take() (lanes []task.Lane) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name := range a.lanes {
		lanes = append(lanes, name)
	}
	clear(a.lanes)
	return lanes
}

// watchFile wakes the lanes that this process announces. When another process has changed the file, it wakes all lanes,
// because it is not known what was changed and looking for tasks costs little.
func (q *Queue) watchFile() {
	look, poll := time.NewTicker(lookEvery), time.NewTicker(sqlitePoll)
	defer look.Stop()
	defer poll.Stop()
	before, failed := int64(-1), false
	for {
		select {
		case <-q.receiving.Done():
			return
		case <-q.local.ring:
			lanes := q.local.take()
			q.awaitCommit(q.receiving)
			q.wake(lanes...)
		case <-poll.C:
			q.wakeAll()
		case <-look.C:
			version, err := q.fileVersion(q.receiving)
			if err != nil && !failed && q.receiving.Err() == nil {
				q.Logger.Warn("failed to watch database for wake-ups, checking less often", "error", err)
			}
			if failed = err != nil; !failed && version != before {
				before = version
				q.wakeAll()
			}
		}
	}
}

// awaitCommit waits for the end of the transaction that announced a wake-up. That transaction holds the only connection
// for writes. Lanes read on other connections, which cannot see the task any earlier.
func (q *Queue) awaitCommit(ctx context.Context) {
	if conn, err := q.DB.SQLite.Conn(ctx); err == nil {
		_ = conn.Close() // returns it to the pool
	}
}

// fileVersion returns a number that changes when another process commits. Changes made on the queried connection do not
// count, and this process makes all its changes on that connection. The number is in shared memory, so reading it is
// cheap.
func (q *Queue) fileVersion(ctx context.Context) (version int64, err error) {
	if err := q.DB.SQLite.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version); err != nil {
		return 0, fmt.Errorf("read database version: %w", err)
	}
	return version, nil
}
