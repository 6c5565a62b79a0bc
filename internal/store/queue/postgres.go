package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// channel is the name of our notification channel. The payload of a notification is a lane.
const channel = "lectern_wake"

// The pauses between attempts to listen, and the time limit for responses on the listening connection.
const (
	firstPause   = 100 * time.Millisecond
	longestPause = postgresPoll
	listenLimit  = 5 * time.Second
)

// notify sends wake-ups, which arrive when the transaction commits.
func notify(ctx context.Context, tx pgx.Tx, lanes []task.Lane) error {
	for _, name := range lanes {
		if _, err := tx.Exec(ctx, `SELECT pg_notify($1, $2)`, channel, string(name)); err != nil {
			return fmt.Errorf("send wake-up: %w", err)
		}
	}
	return nil
}

// listen receives notifications until the queue stops, on one connection at a time.
func (q *Queue) listen() {
	wait, logged := firstPause, false
	for {
		err := q.receive(q.receiving, func() { wait, logged = firstPause, false })
		if q.receiving.Err() != nil {
			return
		}
		if !logged {
			q.Logger.Warn("connection for wake-ups lost, reconnecting", "error", err)
			logged = true
		}
		if !pause(q.receiving, wait) {
			return
		}
		q.wakeAll() // other connections may still be working
		wait = min(2*wait, longestPause)
	}
}

// receive wakes lanes as long as its connection lasts.
func (q *Queue) receive(ctx context.Context, connected func()) error {
	conn, err := q.DB.Postgres.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect for wake-ups: %w", err)
	}
	defer conn.Release()
	defer func() { // other code cannot use a listening connection; the pool drops closed connections
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), listenLimit)
		defer cancel()
		_ = conn.Conn().Close(limit)
	}()
	if err := answer(ctx, func(ctx context.Context) error {
		_, err := conn.Exec(ctx, `LISTEN `+channel)
		return err
	}); err != nil {
		return fmt.Errorf("listen for wake-ups: %w", err)
	}
	connected()
	for {
		q.wakeAll() // for tasks queued earlier, and for polling
		if err := q.receiveFor(ctx, conn.Conn(), postgresPoll); err != nil {
			return err
		}
		if err := answer(ctx, conn.Ping); err != nil { // TCP may take hours to notice that the other side is gone
			return fmt.Errorf("check connection for wake-ups: %w", err)
		}
	}
}

// receiveFor handles notifications for a limited time.
func (q *Queue) receiveFor(ctx context.Context, conn *pgx.Conn, d time.Duration) error {
	limit, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	for {
		n, err := conn.WaitForNotification(limit)
		switch {
		case err == nil:
			q.wake(task.Lane(n.Payload))
		case limit.Err() != nil && !conn.IsClosed():
			return ctx.Err()
		default:
			return fmt.Errorf("receive wake-ups: %w", err)
		}
	}
}

// answer runs a database request with a short time limit.
func answer(ctx context.Context, ask func(context.Context) error) error {
	limit, cancel := context.WithTimeout(ctx, listenLimit)
	defer cancel()
	return ask(limit)
}
