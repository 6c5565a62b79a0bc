// Package retention removes what is no longer reachable: old deployments, files that only they used, expired
// bundles, leftovers of failed attempts in the blob store, and rows with a limited lifetime. It archives agent jobs
// that ended long ago.
//
// Inputs: the clock, a few times an hour, on one process of the cluster.
// Outputs: storage that stays in proportion to what is published.
// It never removes a live site, a bundle that an export offers, or anything younger than a day that running work may
// be about to reference.
package retention

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Sweeper does the removing.
type Sweeper struct {
	Store *store.Store
	Blob  blob.Store
	Keep  store.Keep

	Exports  export.Limits // how long their bundles stay, and how many bytes
	Sessions account.SessionLimits
	Agents   time.Duration // how long agent jobs that ended stay, and their records once archived; 0 = for ever
	// Conversations is how long questions to the assistant stay, and its answers; 0 = not at all.
	Conversations time.Duration
	// Audience is how long counts of visits stay, and what readers said; 0 = for ever.
	Audience time.Duration
	// Partial is how long a blob that is being stored may stand still before it is taken for the remains of a killed
	// process; 0 = for ever.
	Partial time.Duration
	Now     func() time.Time
	Logger  *slog.Logger

	// Pause keeps backups away until release is called; ok is false while one is being made, which needs every file.
	// nil = there are none.
	Pause func() (release func(), ok bool, err error)
}

const youngest = 24 * time.Hour

// Sweep runs one round. Beside a backup every stored file stays; all else is done. What fails is tried again in the
// next.
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
	projects, err := s.projects(ctx)
	if err != nil {
		return err
	}
	var errs []error
	var t tally
	for _, id := range projects {
		errs = append(errs, s.project(ctx, id, &t))
	}
	errs = append(errs, s.exports(ctx, &t), s.agents(ctx), s.conversations(ctx), s.audience(ctx), s.partial(ctx))
	if t.removed > 0 {
		s.Logger.Info("removed unused files", "files", t.removed)
	}
	if t.left > 0 {
		s.Logger.Warn("backup in progress, keeping unused files until the next sweep", "files", t.left)
	}
	return errors.Join(errs...)
}

// projects lists the projects that have stored anything, those deleted meanwhile too.
func (s *Sweeper) projects(ctx context.Context) ([]string, error) {
	seen := map[string]bool{}
	var out []string
	for _, prefix := range []string{"sites/", "snapshots/"} {
		err := s.Blob.List(ctx, prefix, func(i blob.Info) error {
			id, _, _ := strings.Cut(strings.TrimPrefix(i.Key, prefix), "/")
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("list stored sites: %w", err)
		}
	}
	return out, nil
}

// project removes what none of a project's deployments uses.
func (s *Sweeper) project(ctx context.Context, projectID string, t *tally) error {
	used, unsure, err := s.used(ctx, projectID)
	if err != nil {
		return fmt.Errorf("find used files of %s: %w", projectID, err)
	}
	for _, prefix := range []string{path.Join("sites", projectID) + "/", path.Join("snapshots", projectID) + "/"} {
		if err := s.removeUnused(ctx, prefix, used, unsure, t); err != nil {
			return err
		}
	}
	return nil
}

// used lists the files that a project needs. unsure says that the manifest of one of its deployments is lost, and with
// it the list of its packs: then no pack is removed, because an operator may bring the manifest back.
func (s *Sweeper) used(ctx context.Context, projectID string) (used map[string]bool, unsure bool, err error) {
	used = map[string]bool{}
	if _, err := s.Store.FindProjectByID(ctx, projectID); fault.Is(err, fault.NotFound) {
		return used, false, nil // a deleted project uses nothing
	} else if err != nil {
		return nil, false, err
	}
	stay, err := s.Store.PruneDeployments(ctx, projectID, s.Keep)
	if err != nil {
		return nil, false, err
	}
	for _, d := range stay {
		used[d.SnapshotKey], used[d.ManifestKey] = true, true
		if d.ManifestKey == "" {
			continue
		}
		m, err := publish.LoadManifest(ctx, s.Blob, d.ManifestKey)
		var needs []string
		if err == nil {
			needs, err = publish.Needs(ctx, s.Blob, m)
		}
		if fault.Is(err, fault.NotFound) {
			s.Logger.Warn("manifest of a retained deployment is missing, keeping all packs of its project",
				"project", projectID, "deployment", d.ID)
			unsure = true
			for _, v := range m.Views { // those that are left
				used[v.Manifest] = true
			}
			for _, key := range publish.VersionBlobs(m) {
				used[key] = true
			}
			continue
		}
		if err != nil {
			return nil, false, err
		}
		for _, key := range needs {
			used[key] = true
		}
	}
	return used, unsure, nil
}

func (s *Sweeper) removeUnused(ctx context.Context, prefix string, used map[string]bool, unsure bool, t *tally) error {
	oldest := s.Now().Add(-youngest)
	var unused []string
	err := s.Blob.List(ctx, prefix, func(i blob.Info) error {
		if unsure && strings.HasPrefix(i.Key, prefix+"packs/") {
			return nil
		}
		if !used[i.Key] && i.ModTime.Before(oldest) {
			unused = append(unused, i.Key)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("list stored files: %w", err)
	}
	return s.remove(ctx, unused, t)
}
