// Package retention removes what is no longer reachable: old deployments, files used only by them, expired bundles,
// leftovers of failed attempts in the blob store, and rows with a limited lifetime. It also archives agent jobs that
// ended long ago.
//
// Inputs: the clock, a few times an hour, on one process of the cluster. Outputs: storage use proportional to the
// published content. It never removes a live site, a bundle that an export offers, or anything younger than a day
// that running work may be about to reference.
package retention

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Sweeper removes expired and unused data.
type Sweeper struct {
	Store *store.Store
	Blob  blob.Store
	Keep  store.Keep

	Exports  export.Limits // how long export bundles are kept, and their total size
	Sessions account.SessionLimits
	Agents   time.Duration // how long ended agent jobs are kept, and then their transcripts once archived; 0 = forever
	// Conversations is how long questions to the assistant and its answers are kept; 0 = not at all.
	Conversations time.Duration
	// Audience is how long visit counts and feedback are kept; 0 = forever.
	Audience time.Duration
	// Partial is the time without progress after which an incomplete upload counts as abandoned; 0 = never.
	Partial time.Duration
	Now     func() time.Time
	Logger  *slog.Logger

	// Pause prevents backups until release is called. ok is false while a backup is running, which needs every file.
	// nil = no backups.
	Pause func() (release func(), ok bool, err error)
}

const youngest = 24 * time.Hour

// Sweep runs one round. During a backup it removes no stored files but does everything else. The next round retries
// failures.
func (s *Sweeper) Sweep(ctx context.Context) error {
	if _, err := s.Store.Forget(ctx); err != nil {
		return err
	}
	if err := s.Store.PruneSessions(ctx, s.Sessions); err != nil {
		return err
	}
	if err := s.Store.PruneReaderSessions(ctx, s.Sessions); err != nil {
		return err
	}
	if err := s.Store.PruneMails(ctx, s.Now().Add(-mail.KeepFor)); err != nil {
		return err
	}
	if err := s.Store.PruneDeliveries(ctx, s.Now().Add(-endpoint.KeepFor)); err != nil {
		return err
	}
	var t tally
	errs := []error{s.sites(ctx, &t)}
	errs = append(errs, s.Store.PruneTasks(ctx), s.exports(ctx, &t), s.agents(ctx), s.conversations(ctx), s.audience(ctx), s.partial(ctx))
	if t.removed > 0 {
		s.Logger.Info("removed unused files", "files", t.removed)
	}
	if t.left > 0 {
		s.Logger.Warn("backup in progress, keeping unused files until the next sweep", "files", t.left)
	}
	return errors.Join(errs...)
}
