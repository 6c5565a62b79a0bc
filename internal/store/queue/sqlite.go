package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riversqlite"
)

// SQLite cannot notify. The library's own listener asks for rows of a table twenty times a second, and its lanes ask for
// jobs besides. Here, a lane hears of the jobs of its own process without the database. Those of other processes are
// found by the version of the file, which costs next to nothing to read.

// lookEvery is how often the version is read: how late wake-ups of other processes on the same file can be.
const lookEvery = time.Second

// sqliteDriver is the library's driver with a listener that polls no table.
type sqliteDriver struct {
	*riversqlite.Driver
	listener *fileListener
}

// GetListener returns the listener of this process.
func (d sqliteDriver) GetListener(*riverdriver.GetListenenerParams) riverdriver.Listener {
	return d.listener
}

// SupportsListenNotify is false so that the library writes no notifications, which only its own listener would read.
func (sqliteDriver) SupportsListenNotify() bool { return false }

// fileListener notifies lanes of jobs that wait.
type fileListener struct {
	reads *sql.DB

	mu      sync.Mutex
	waiting map[string]bool // lanes to notify
	ring    chan struct{}   // of size one: waiting has changed

	// used by the library from one goroutine at a time
	conn    *sql.Conn // versions can be compared on one connection only; nil = not connected
	tick    *time.Ticker
	version int64 // of the file when it was read last
}

func newFileListener(reads *sql.DB) *fileListener {
	return &fileListener{reads: reads, waiting: map[string]bool{}, ring: make(chan struct{}, 1)}
}

// notify wakes lanes of this process. It is called inside the transaction that inserts the jobs: a lane looks for them on
// the same connection, so it does that when the transaction has ended.
func (l *fileListener) notify(lanes ...string) {
	l.mu.Lock()
	for _, lane := range lanes {
		l.waiting[lane] = true
	}
	l.mu.Unlock()
	select {
	case l.ring <- struct{}{}:
	default:
	}
}

func (l *fileListener) take() (lane string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for lane := range l.waiting {
		delete(l.waiting, lane)
		return lane, true
	}
	return "", false
}

// WaitForNotification returns when a lane has jobs.
func (l *fileListener) WaitForNotification(ctx context.Context) (*riverdriver.Notification, error) {
	if l.conn == nil {
		return nil, errors.New("watch database: not connected")
	}
	for {
		if lane, ok := l.take(); ok {
			return &riverdriver.Notification{Topic: insertTopic, Payload: insertPayload(lane)}, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.ring:
		case <-l.tick.C:
			if err := l.look(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// look notifies lanes with jobs if the file has changed.
func (l *fileListener) look(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx) // the library ends its waits every few seconds, and the connection is to outlive that
	var version int64
	if err := l.conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version); err != nil {
		return fmt.Errorf("read version of database: %w", err)
	}
	if version == l.version {
		return nil
	}
	lanes, err := texts(l.conn.QueryContext(ctx, `SELECT DISTINCT queue FROM river_job WHERE state = 'available'`))
	if err != nil {
		return fmt.Errorf("look for jobs: %w", err)
	}
	l.version = version
	if len(lanes) > 0 {
		l.notify(lanes...)
	}
	return nil
}

// Connect takes a connection. Changes from before are not its business: lanes look for jobs when they start.
func (l *fileListener) Connect(ctx context.Context) (err error) {
	if l.conn, err = l.reads.Conn(ctx); err != nil {
		return fmt.Errorf("watch database: %w", err)
	}
	l.tick = time.NewTicker(lookEvery)
	l.version = -1 // what was inserted while there was no connection is found by the first look
	return nil
}

// Close gives the connection back.
func (l *fileListener) Close(context.Context) error {
	if l.conn == nil {
		return nil
	}
	l.tick.Stop()
	err := l.conn.Close()
	l.conn = nil
	return err
}

// Ping does nothing: each look shows whether the database answers.
func (*fileListener) Ping(context.Context) error { return nil }

// Listen does nothing: there is one topic.
func (*fileListener) Listen(context.Context, string) error { return nil }

// Unlisten does nothing either.
func (*fileListener) Unlisten(context.Context, string) error { return nil }

// Schema is unused on SQLite.
func (*fileListener) Schema() string { return "" }

// SetAfterConnectExec is for tests of the library.
func (*fileListener) SetAfterConnectExec(string) {}
