package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
)

// kept selects completed exports whose bundles are still stored.
const kept = ` FROM static_exports e WHERE e.status = 'completed' AND e.expired_at IS NULL`

func (r reads) storedExports(ctx context.Context, organizationID string) ([]export.Stored, error) {
	list, err := collect(ctx, r.q, scanExport, `SELECT `+exportColumns+kept+` AND e.organization_id = $1`,
		organizationID)
	if err != nil {
		return nil, wrap("list stored exports", err)
	}
	out := make([]export.Stored, 0, len(list))
	for _, j := range list {
		out = append(out, export.Stored{ID: j.ID, Domain: j.Domain, EndedAt: *j.EndedAt, LinkUntil: j.LinkUntil,
			Bundles: j.Bundles})
	}
	return out, nil
}

// ListUsedBundles returns the blob keys of bundles that exports still offer. Several exports may share a blob.
func (r reads) ListUsedBundles(ctx context.Context) (map[string]bool, error) {
	list, err := collect(ctx, r.q, value[string], `SELECT e.bundles`+kept)
	if err != nil {
		return nil, wrap("list used bundles", err)
	}
	used := map[string]bool{}
	for _, text := range list {
		bundles, err := fromJSON[[]export.Bundle](text)
		if err != nil {
			return nil, err
		}
		for _, b := range bundles {
			used[b.Key] = true
		}
	}
	return used, nil
}

// idsAtOnce is the number of ids in one query. Engines limit the number of parameters of a statement.
const idsAtOnce = 500

// ListEndedExports returns the given exports that have ended.
func (r reads) ListEndedExports(ctx context.Context, ids []string) (ended []string, err error) {
	for batch := range slices.Chunk(ids, idsAtOnce) {
		marks, args := make([]string, len(batch)), make([]any, len(batch))
		for i, id := range batch {
			marks[i], args[i] = "$"+strconv.Itoa(i+1), id
		}
		some, err := collect(ctx, r.q, value[string], `SELECT e.id FROM static_exports e
			WHERE e.status IN ('completed', 'failed') AND e.id IN (`+strings.Join(marks, ", ")+`)`, args...)
		if err != nil {
			return nil, wrap("list ended exports", err)
		}
		ended = append(ended, some...)
	}
	return ended, nil
}

// ExpireExports expires bundles that have been kept long enough, and bundles of organizations that are above their
// quota. An organization can be above its quota after the operator lowers it. The sweep deletes the blobs later. It
// returns the number of exports whose bundles expired.
func (s *Store) ExpireExports(ctx context.Context, l export.Limits) (expired int, err error) {
	if l.KeepFor == 0 && l.MaxStored == 0 {
		return 0, nil
	}
	organizations, err := collect(ctx, s.q, value[string], `SELECT DISTINCT e.organization_id`+kept)
	if err != nil {
		return 0, wrap("list organizations with bundles", err)
	}
	for _, id := range organizations {
		n := 0
		err := s.Tx(ctx, func(t *Tx) (err error) {
			n, err = t.expireOf(ctx, id, l)
			return err
		})
		if err != nil {
			return expired, err
		}
		expired += n
	}
	return expired, nil
}

func (t *Tx) expireOf(ctx context.Context, organizationID string, l export.Limits) (int, error) {
	if err := t.lockOrganization(ctx, organizationID); err != nil {
		return 0, err
	}
	all, err := t.storedExports(ctx, organizationID)
	if err != nil {
		return 0, err
	}
	old := l.Expired(all, t.now())
	if err := t.expireExports(ctx, organizationID, old, "age"); err != nil || l.MaxStored == 0 {
		return len(old), err
	}
	if len(old) > 0 {
		if all, err = t.storedExports(ctx, organizationID); err != nil {
			return 0, err
		}
	}
	more, _ := l.MakeRoom(all, "", 0, t.now())
	return len(old) + len(more), t.expireExports(ctx, organizationID, more, "quota")
}

// expireExports marks bundles as expired and records the reason. The caller must have locked the organization.
func (t *Tx) expireExports(ctx context.Context, organizationID string, list []export.Stored, reason string) error {
	for _, e := range list {
		if _, err := t.q.exec(ctx,
			`UPDATE static_exports SET expired_at = $2, updated_at = $2, identity = '' WHERE id = $1`, e.ID,
			micros(t.now())); err != nil {
			return wrap("expire export", err)
		}
		var size int64
		for _, b := range e.Bundles {
			size += b.Size
		}
		err := t.Record(ctx, event.New(organizationID, "system", "export.expire", e.ID, "", t.now(),
			map[string]string{"reason": reason, "domain": e.Domain, "bytes": strconv.FormatInt(size, 10)}))
		if err != nil {
			return err
		}
	}
	return nil
}

// NoteExportLink stores the time until which a link to an export's bundles is valid, so that the bundles do not expire
// earlier. It returns the current export. If the bundles have already expired, the caller must not return the link.
func (t *Tx) NoteExportLink(ctx context.Context, organizationID, exportID string, until time.Time) (export.Job, error) {
	if err := t.lockOrganization(ctx, organizationID); err != nil {
		return export.Job{}, err
	}
	if _, err := t.q.exec(ctx,
		`UPDATE static_exports SET link_until = $3 WHERE organization_id = $1 AND id = $2 `+
			`AND status = 'completed' AND expired_at IS NULL AND link_until < $3`,
		organizationID, exportID, micros(until)); err != nil {
		return export.Job{}, wrap("record link", err)
	}
	return t.FindExport(ctx, organizationID, exportID)
}
