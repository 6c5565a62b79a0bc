package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"github.com/lectern-docs/lectern/internal/domain/task"
)

// DB is the database the queue shares with the store: SQLite and Reads, or Postgres.
type DB struct {
	SQLite   *sql.DB // of one connection, which all changes by this process are made on
	Reads    *sql.DB // the same file, for reading; needed by Start only
	Postgres *pgxpool.Pool
}

// Options say what the queue does with what it receives. Without Work it only passes wake-ups on.
type Options struct {
	DB        DB
	ProcessID string // names this process in the queue's tables
	Slots     int    // wake-ups served at once on the work lane
	Agents    int    // and on that of agents
	Mails     int    // and on that of mails; 0 = this process sends none
	// and on that of deliveries; 0 = this process makes none
	Deliveries int
	Work       func(ctx context.Context, lane task.Lane) error
	Chores     []Chore
	Grace      time.Duration // how long Stop lets running work finish before it cancels it
	Logger     *slog.Logger
}

// Chore is done by one process of the cluster at a time, every so often.
type Chore struct {
	Name  string
	Every time.Duration
	Do    func(ctx context.Context) error
}

// Queue is a running or inserting queue. It is safe for concurrent use.
type Queue struct{ engine engine }

// engine hides the library's type parameter, which differs with the database.
type engine interface {
	wake(ctx context.Context, tx any, lanes ...string) error
	start(ctx context.Context) error
	stop(ctx context.Context) error
}

const (
	workLane    = string(task.Ordinary)
	expressLane = string(task.Express)
	agentLane   = string(task.Agents)
	mailLane    = string(task.Mails)
	postLane    = string(task.Deliveries)
	choreLane   = "chores"
)

// How long the library lets things run. Work has limits of its own, well below; but without one here the library would
// keep the rows of killed processes for ever. A chore that hangs is cancelled after choreLife.
const (
	longest   = 24 * time.Hour
	choreLife = time.Hour
)

// How often a lane looks for jobs that it was not notified of, because the connection for notifications broke. See
// fileListener for SQLite.
const (
	postgresPoll = 5 * time.Second
	sqlitePoll   = 30 * time.Second
)

// Open prepares a queue; Start makes it receive.
func Open(opt Options) (*Queue, error) {
	var err error
	q := &Queue{}
	if opt.DB.Postgres != nil {
		q.engine, err = newEngine[pgx.Tx](riverpgxv5.New(opt.DB.Postgres), opt, postgresPoll, nil)
	} else {
		l := newFileListener(opt.DB.Reads)
		q.engine, err = newEngine[*sql.Tx](sqliteDriver{riversqlite.New(opt.DB.SQLite), l}, opt, sqlitePoll, l.notify)
	}
	if err != nil {
		return nil, fmt.Errorf("prepare queue: %w", err)
	}
	return q, nil
}

// Wake inserts a wake-up in the caller's transaction (*sql.Tx or pgx.Tx, whichever the database has). task.Either
// inserts one on the work lane and one on the express lane: whichever is free first serves the task.
func (q *Queue) Wake(ctx context.Context, engineTx any, lane task.Lane) error {
	if lane == task.Either {
		return q.engine.wake(ctx, engineTx, workLane, expressLane)
	}
	return q.engine.wake(ctx, engineTx, string(lane))
}

// Start begins receiving and returns at once.
func (q *Queue) Start(ctx context.Context) error { return q.engine.start(ctx) }

// Stop receives nothing more, lets running work finish within the grace period, then cancels its context and waits.
func (q *Queue) Stop(ctx context.Context) error { return q.engine.stop(ctx) }

// Migrate brings the library's own tables up to date.
func Migrate(ctx context.Context, db DB, logger *slog.Logger) error {
	if db.Postgres != nil {
		return migrate(ctx, riverpgxv5.New(db.Postgres), logger)
	}
	return migrate(ctx, riversqlite.New(db.SQLite), logger)
}

func migrate[TTx any](ctx context.Context, driver riverdriver.Driver[TTx], logger *slog.Logger) error {
	m, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: logger})
	if err != nil {
		return fmt.Errorf("prepare queue tables: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate queue tables: %w", err)
	}
	return nil
}

// clientEngine is the library's client for one kind of transaction.
type clientEngine[TTx any] struct {
	driver  riverdriver.Driver[TTx]
	client  *river.Client[TTx]
	working bool
	grace   time.Duration
}

// notify is called with the lane of each job that is about to be inserted; nil where the database notifies.
func newEngine[TTx any](driver riverdriver.Driver[TTx], opt Options, poll time.Duration,
	notify func(lanes ...string)) (engine, error) {
	cfg := &river.Config{
		ID:                          opt.ProcessID,
		Logger:                      opt.Logger,
		MaxAttempts:                 1, // tasks count their own attempts; a wake-up is not worth repeating
		JobTimeout:                  longest,
		Hooks:                       []rivertype.Hook{&atInsert{notify: notify}},
		CompletedJobRetentionPeriod: 10 * time.Minute,
		CancelledJobRetentionPeriod: 10 * time.Minute,
		DiscardedJobRetentionPeriod: 24 * time.Hour,
	}
	chores := &choreWorker{chores: opt.Chores}
	if opt.Work != nil {
		cfg.Workers = river.NewWorkers()
		river.AddWorker(cfg.Workers, &wakeUpWorker{work: opt.Work})
		river.AddWorker(cfg.Workers, chores)
		cfg.FetchPollInterval = poll
		cfg.FetchCooldown = 20 * time.Millisecond
		cfg.Queues = map[string]river.QueueConfig{
			workLane:    {MaxWorkers: max(1, opt.Slots)},
			expressLane: {MaxWorkers: 1},
			agentLane:   {MaxWorkers: max(1, opt.Agents)},
			choreLane:   {MaxWorkers: 1},
		}
		if opt.Mails > 0 {
			cfg.Queues[mailLane] = river.QueueConfig{MaxWorkers: opt.Mails}
		}
		if opt.Deliveries > 0 {
			cfg.Queues[postLane] = river.QueueConfig{MaxWorkers: opt.Deliveries}
		}
		cfg.PeriodicJobs = periodic(opt.Chores)
	}
	c, err := river.NewClient(driver, cfg)
	if err != nil {
		return nil, err
	}
	chores.list = c.JobList
	return &clientEngine[TTx]{driver: driver, client: c, working: opt.Work != nil, grace: opt.Grace}, nil
}

func (e *clientEngine[TTx]) wake(ctx context.Context, tx any, lanes ...string) error {
	own, ok := tx.(TTx)
	if !ok {
		return fmt.Errorf("wake worker: %T is not a transaction of this queue", tx)
	}
	var all []river.InsertManyParams
	for _, lane := range lanes {
		all = append(all, river.InsertManyParams{Args: wakeUp{}, InsertOpts: &river.InsertOpts{Queue: lane}})
	}
	if _, err := e.client.InsertManyFastTx(ctx, own, all); err != nil {
		return err
	}
	return e.notify(ctx, own, lanes)
}

// notify wakes lanes of all processes when the transaction commits. The library does so itself, but not for inserts
// that follow another one within FetchCooldown: such a job would wait for the next poll when the lane has just looked.
func (e *clientEngine[TTx]) notify(ctx context.Context, tx TTx, lanes []string) error {
	if !e.driver.SupportsListenNotify() {
		return nil
	}
	var payloads []string
	for _, lane := range lanes {
		payloads = append(payloads, insertPayload(lane))
	}
	return e.driver.UnwrapExecutor(tx).NotifyMany(ctx,
		&riverdriver.NotifyManyParams{Topic: insertTopic, Payload: payloads})
}

// insertTopic is the library's name for notifications of new jobs.
const insertTopic = "river_insert"

// insertPayload returns what such a notification says, byte for byte as the library writes it, so that PostgreSQL sends equal
// ones of a transaction once.
func insertPayload(lane string) string { return fmt.Sprintf(`{"queue": %q}`, lane) }

func (e *clientEngine[TTx]) start(ctx context.Context) error {
	if !e.working {
		return errors.New("start queue: opened without a work function")
	}
	// The library stops when the context of Start ends; stopping is Stop's business alone.
	if err := e.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start queue: %w", err)
	}
	return nil
}

func (e *clientEngine[TTx]) stop(ctx context.Context) error {
	if !e.working {
		return nil
	}
	soft, cancel := context.WithTimeout(ctx, e.grace)
	defer cancel()
	if err := e.client.Stop(soft); err == nil || ctx.Err() != nil {
		return err
	}
	if err := e.client.StopAndCancel(ctx); err != nil {
		return fmt.Errorf("stop queue: %w", err)
	}
	return nil
}
