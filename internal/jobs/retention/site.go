package retention

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// removeAtOnce is the number of files removed before a waiting backup may continue.
const removeAtOnce = 1000

// notedAtOnce is the number of manifests whose references are cached in one transaction. It is limited because other
// writers wait for the transaction on SQLite. With one transaction per project, the sweep would have to wait for the
// disk once for each project.
const notedAtOnce = 200

// errorsShown is the number of projects whose errors a sweep reports individually: if the database is unavailable,
// they all fail in the same way.
const errorsShown = 10

// sites removes old deployments and, for every project with stored files, the files that none of its deployments
// uses; for a deleted project these are all its files. Files are listed once for all projects, and removed
// afterwards.
func (s *Sweeper) sites(ctx context.Context, t *tally) error {
	var unused []string
	var errs []error
	failed := 0
	noted := map[string][]string{}
	var lost error // first error returned by note
	err := s.projects(ctx, func(projectID string, files []blob.Info) error {
		found, err := s.unusedOf(ctx, projectID, files, noted)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if failed++; failed <= errorsShown {
				errs = append(errs, fmt.Errorf("find unused files of %s: %w", projectID, err))
			}
		}
		unused = append(unused, found...)
		if len(noted) >= notedAtOnce {
			lost = cmp.Or(lost, s.note(ctx, noted))
		}
		return nil
	})
	errs = append(errs, cmp.Or(lost, s.note(ctx, noted)))
	if failed > errorsShown {
		errs = append(errs, fmt.Errorf("finding unused files failed for %d more projects", failed-errorsShown))
	}
	if errs = append(errs, err); ctx.Err() != nil {
		return errors.Join(errs...)
	}
	for batch := range slices.Chunk(unused, removeAtOnce) {
		errs = append(errs, s.remove(ctx, batch, t))
	}
	return errors.Join(errs...)
}

// note caches manifests' references in the database, and empties the map. If it fails, the next sweep reads those
// manifests again.
func (s *Sweeper) note(ctx context.Context, noted map[string][]string) error {
	defer clear(noted)
	if ctx.Err() != nil {
		return nil // the sweep reports this once
	}
	for batch := range slices.Chunk(slices.Sorted(maps.Keys(noted)), notedAtOnce) {
		part := map[string][]string{}
		for _, id := range batch {
			part[id] = noted[id]
		}
		if err := s.Store.StoreNeeds(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// cursor iterates over a list of stored files, project by project.
type cursor struct {
	next  func() (blob.Info, error, bool)
	id    string // id of the current project; "" at the end
	first blob.Info
}

// read appends the current project's files to list and moves on to the next project.
func (c *cursor) read(prefix string, list []blob.Info) ([]blob.Info, error) {
	for id := c.id; ; {
		if c.first.Key != "" {
			list = append(list, c.first)
		}
		info, err, ok := c.next()
		if err != nil {
			return list, fmt.Errorf("list stored files: %w", err)
		}
		c.first, c.id = info, ""
		if !ok {
			return list, nil
		}
		if c.id, _, _ = strings.Cut(strings.TrimPrefix(info.Key, prefix), "/"); c.id != id {
			return list, nil
		}
	}
}

// projects calls fn with the stored files of each project, including deleted ones. It reads both lists in parallel,
// so that only one project's files are in memory. If the store does not list in key order, it may call fn several
// times for a project, each time with different files. It stops at the first error from fn.
func (s *Sweeper) projects(ctx context.Context, fn func(projectID string, files []blob.Info) error) error {
	prefixes := [...]string{"sites/", "snapshots/"}
	var cursors [len(prefixes)]cursor
	for i, prefix := range prefixes {
		next, stop := iter.Pull2(s.files(ctx, prefix))
		defer stop()
		cursors[i].next = next
		if _, err := cursors[i].read(prefix, nil); err != nil {
			return err
		}
	}
	for {
		id := ""
		for _, c := range cursors {
			if c.id != "" && (id == "" || c.id < id) {
				id = c.id
			}
		}
		if id == "" {
			return nil
		}
		var files []blob.Info
		for i, prefix := range prefixes {
			if cursors[i].id != id {
				continue
			}
			var err error
			if files, err = cursors[i].read(prefix, files); err != nil {
				return err
			}
		}
		if err := fn(id, files); err != nil {
			return err
		}
	}
}

// files lists stored files.
func (s *Sweeper) files(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		stopped := errors.New("no more files are wanted")
		err := s.Blob.List(ctx, prefix, func(i blob.Info) error {
			if !yield(i, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(blob.Info{}, err)
		}
	}
}

// unusedOf removes a project's old deployments. It returns the project's files that are old enough and that none of the
// remaining deployments uses. It adds the references of manifests that it has read to noted.
func (s *Sweeper) unusedOf(ctx context.Context, projectID string, files []blob.Info,
	noted map[string][]string) (unused []string, err error) {
	used, unsure, err := s.used(ctx, projectID, noted)
	if err != nil {
		return nil, err
	}
	oldest := s.Now().Add(-youngest)
	packs := "sites/" + projectID + "/packs/"
	for _, f := range files {
		if !used[f.Key] && f.ModTime.Before(oldest) && !(unsure && strings.HasPrefix(f.Key, packs)) {
			unused = append(unused, f.Key)
		}
	}
	return unused, nil
}

// used lists the files that a project needs. unsure means that the manifest of one of its deployments is missing, and
// with it the list of packs. In this case no pack is removed, because an operator may restore the manifest. Manifests
// are read once: those read now are added to noted, to be cached in the database.
func (s *Sweeper) used(ctx context.Context, projectID string, noted map[string][]string) (used map[string]bool, unsure bool, err error) {
	used = map[string]bool{}
	stay, err := s.Store.PruneDeployments(ctx, projectID, s.Keep)
	if fault.HasCode(err, "unknown_project") {
		return used, false, nil // a deleted project uses nothing
	}
	if err != nil {
		return nil, false, err
	}
	for _, d := range stay {
		used[d.SnapshotKey], used[d.ManifestKey] = true, true
		if d.ManifestKey == "" {
			continue
		}
		needs, lost := d.Needs, false
		if !d.Known {
			if needs, lost, err = s.needs(ctx, d.ManifestKey); err != nil {
				return nil, false, err
			}
		}
		for _, key := range needs {
			used[key] = true
		}
		switch {
		case lost:
			s.Logger.Warn("manifest of a retained deployment is missing, keeping all packs of its project",
				"project", projectID, "deployment", d.ID)
			unsure = true
		case !d.Known:
			noted[d.ID] = needs
		}
	}
	return used, unsure, nil
}

// needs lists the blobs that a manifest refers to. If a manifest is missing, lost is true and the list is incomplete.
func (s *Sweeper) needs(ctx context.Context, manifest string) (needs []string, lost bool, err error) {
	m, err := publish.LoadReferences(ctx, s.Blob, manifest)
	if err == nil {
		needs, err = publish.Needs(ctx, s.Blob, m)
	}
	if !fault.Is(err, fault.NotFound) {
		return needs, false, err
	}
	for _, v := range m.Views { // versions that are still readable
		needs = append(needs, v.Manifest)
	}
	return append(needs, publish.VersionBlobs(m)...), true, nil
}
