package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/durable"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// Options configures a process.
type Options struct {
	Config  config.Server
	Env     config.Env
	Version string
	Built   time.Time // when the documentation in this program last changed; zero = unknown
	Now     func() time.Time
	Rand    io.Reader
	Logger  *slog.Logger
	// Redactor masks the secrets of the settings; Logger already uses it.
	Redactor telemetry.Redactor
	Out      io.Writer // for people: URLs and, if permitted, the first key
	SelfExe  string    // path of this program; ssh runs it to connect through a proxy

	Terminal bool // Out is a terminal, so its output is not collected
}

// Ledger is the database and its secret keys: all that commands for keys and plans need.
type Ledger struct {
	Store   *store.Store
	Secrets Secrets
	Hasher  account.Hasher
}

// OpenLedger opens the database, migrates its schema and checks that it was created with this secret key.
func OpenLedger(ctx context.Context, opt Options) (*Ledger, error) {
	if err := durable.MkdirAll(opt.Config.Data, 0o700); err != nil {
		return nil, fmt.Errorf("create data folder: %w", err)
	}
	secrets, err := loadSecrets(opt)
	if err != nil {
		return nil, err
	}
	url := opt.Config.Database
	if url == "" {
		url = filepath.Join(opt.Config.Data, databaseFile)
	}
	st, err := store.Open(ctx, store.Options{URL: url, Now: opt.Now, IDs: id.Source{Rand: opt.Rand},
		Domains: opt.Config.DomainPolicy()})
	if err != nil && opt.Config.Database != "" {
		err = badPlace(err, "database", "the database cannot be reached or rejects the login.",
			"Check that the database is running, and the user name and password in the URL.")
	}
	if err != nil {
		return nil, badDatabase(err, url)
	}
	if st.Alone() {
		opt.Logger.Error(
			"the disk is full: until the next restart, only this process can use the database, and other lectern commands that need it fail", "file", url)
	}
	l := &Ledger{Store: st, Secrets: secrets, Hasher: account.NewHasher(secrets.Current)}
	if err := l.prepare(ctx, opt); err != nil {
		return nil, errors.Join(badDatabase(err, url), st.Close())
	}
	return l, nil
}

// badDatabase explains to an operator which file is damaged or on a full disk, and what to do. It shows url only if
// that is a file.
func badDatabase(err error, url string) error {
	switch {
	case err == nil || store.IsPostgres(url):
		return err
	case errors.Is(err, fault.ErrDatabaseDamaged):
		return fault.Newf(fault.Unavailable, fault.CodeDatabaseDamaged, "The database %s is damaged.", url).
			WithCause(err).
			WithHint(
				"Keep a copy of the file, then restore the last backup to an empty data folder with lectern restore. lectern doctor checks the rest.")
	case fault.IsFull(err):
		return fault.Newf(fault.Unavailable, fault.CodeStorageFull, "The disk of the database %s is full.", url).
			WithCause(err).
			WithHint("Free some space; lectern doctor shows how much is left.")
	}
	return err
}

func (l *Ledger) prepare(ctx context.Context, opt Options) error {
	n, err := l.Store.Migrate(ctx, l.Store.RequireOwnQueue)
	if err != nil {
		return err
	}
	if n > 0 {
		opt.Logger.Info("database migrated", "steps", n)
	}
	if err := l.Store.FollowClock(ctx); err != nil {
		return err
	}
	if err := l.checkSecret(ctx); err != nil {
		return err
	}
	return l.resealCredentials(ctx, opt.Rand)
}

// OpenQueue lets this process queue tasks, which servers and workers on the same database run.
func (l *Ledger) OpenQueue(opt Options) {
	l.Store.SetWake(queue.Open(queue.Options{DB: queueDB(l.Store), Logger: opt.Logger}).Wake)
}

func queueDB(st *store.Store) queue.DB {
	return queue.DB{SQLite: st.SQLite(), Postgres: st.Postgres()}
}

// Close closes the database.
func (l *Ledger) Close() error { return l.Store.Close() }

// quiet drops a library's messages below warnings, and its errors caused by shutdown.
func quiet(l *slog.Logger) *slog.Logger { return slog.New(atLeastWarn{l.Handler()}) }

type atLeastWarn struct{ slog.Handler }

// Handle drops a record whose error is a canceled context. The library may log errors as text.
func (h atLeastWarn) Handle(ctx context.Context, r slog.Record) error {
	canceled := strings.HasSuffix(r.Message, context.Canceled.Error())
	r.Attrs(func(a slog.Attr) bool {
		err, isErr := a.Value.Any().(error)
		canceled = canceled || isErr && errors.Is(err, context.Canceled) ||
			!isErr && strings.HasSuffix(a.Value.String(), context.Canceled.Error())
		return !canceled
	})
	if canceled {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

func (h atLeastWarn) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h atLeastWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeastWarn{h.Handler.WithAttrs(attrs)}
}

func (h atLeastWarn) WithGroup(name string) slog.Handler {
	return atLeastWarn{h.Handler.WithGroup(name)}
}
