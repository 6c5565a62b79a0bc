package storetest

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// complete creates and completes an export of a domain with a bundle of the given size, an hour after the previous
// export.
func (w *world) complete(organizationID, domain string, size int64, l export.Limits) (export.Job, error) {
	w.t.Helper()
	w.clock.advance(time.Hour)
	w.tx(func(tx *store.Tx) error {
		_, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: organizationID, ProjectID: "prj_x", Domain: domain})
		return err
	})
	return w.made(size, l)
}

// expired returns the indexes of the exports in list whose bundles have expired.
func (w *world) expired(list []export.Job) (out []int) {
	w.t.Helper()
	for i, j := range list {
		got := w.findExport(j.ID)
		if got.Status != export.Completed || len(got.Bundles) == 0 {
			w.t.Errorf("%d is %+v", i, got)
		}
		if got.ExpiredAt != nil {
			out = append(out, i)
			_, err := got.Bundle(export.TarGz)
			w.wantFault(err, fault.Gone, "bundle_expired")
		}
	}
	return out
}

func testExportKeep(t *testing.T, database func(*testing.T) string) {
	t.Run("bundles expire after their retention time unless a link is valid", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		var list []export.Job
		for range 4 {
			j, err := w.complete(o.ID, "docs.example.com", 10, export.Limits{})
			w.ok(err)
			list = append(list, j)
		}
		w.tx(func(tx *store.Tx) error {
			_, err := tx.NoteExportLink(w.ctx, o.ID, list[1].ID, w.clock.now().Add(time.Hour))
			return err
		})
		l := export.Limits{KeepFor: 90 * time.Minute}
		for _, step := range []struct {
			later time.Duration
			want  []int
		}{{0, []int{0}}, {61 * time.Minute, []int{0, 1, 2}}, {time.Hour, []int{0, 1, 2, 3}}} {
			w.clock.advance(step.later)
			if _, err := w.s.ExpireExports(w.ctx, l); err != nil {
				t.Fatal(err)
			}
			if got := w.expired(list); !slices.Equal(got, step.want) {
				t.Errorf("after %s more: expired %v, want %v", step.later, got, step.want)
			}
		}
		if n := w.count(
			`SELECT count(*) FROM events WHERE action = 'export.expire' AND data LIKE '%"reason":"age"%'`); n != 4 {
			t.Errorf("%d events record it", n)
		}
	})
	t.Run("over the quota the oldest expire first, except a domain's newest three and those with a link",
		testExportQuota(database))
	t.Run("a bundle that does not fit fails the export", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		l := export.Limits{MaxStored: 100}
		for range 2 {
			_, err := w.complete(o.ID, "docs.example.com", 40, l)
			w.ok(err)
		}
		j, err := w.complete(o.ID, "docs.example.com", 30, l)
		w.wantFault(err, fault.Invalid, "export_quota")
		if j.Status != export.Running ||
			w.count(`SELECT count(*) FROM static_exports WHERE expired_at IS NOT NULL`) != 0 {
			t.Errorf("it left %+v", j)
		}
	})
	t.Run("shared bundles count once and are used until the last export expires", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		_, _, err := w.start(wanted(o.ID), export.Limits{})
		w.ok(err)
		first, err := w.made(60, export.Limits{})
		w.ok(err)
		w.clock.advance(time.Hour)
		second, _, err := w.start(wanted(o.ID), export.Limits{})
		w.ok(err)
		_, err = w.complete(o.ID, "docs.example.com", 40, export.Limits{MaxStored: 100})
		w.ok(err)
		_, err = w.s.ExpireExports(w.ctx, export.Limits{KeepFor: 90 * time.Minute})
		w.ok(err)
		if got := w.expired([]export.Job{first, second}); !slices.Equal(got, []int{0}) {
			t.Errorf("expired %v", got)
		}
		used, err := w.s.ListUsedBundles(w.ctx)
		w.ok(err)
		if !used[first.Bundles[0].Key] || len(used) != 2 {
			t.Errorf("used are %v", slices.Collect(maps.Keys(used)))
		}
	})
	t.Run("a link to expired bundles is not recorded", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		j, err := w.complete(o.ID, "docs.example.com", 10, export.Limits{})
		w.ok(err)
		w.clock.advance(time.Hour)
		_, err = w.s.ExpireExports(w.ctx, export.Limits{KeepFor: time.Minute})
		w.ok(err)
		w.tx(func(tx *store.Tx) error {
			got, err := tx.NoteExportLink(w.ctx, o.ID, j.ID, w.clock.now().Add(time.Hour))
			if got.ExpiredAt == nil || !got.LinkUntil.IsZero() {
				t.Errorf("it is %+v", got)
			}
			return err
		})
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.NoteExportLink(w.ctx, other.ID, j.ID, w.clock.now())
			return err
		})
		w.wantFault(err, fault.NotFound, "unknown_export")
		if err := w.exec(`UPDATE static_exports SET expired_at = NULL WHERE id = $1`, j.ID); err == nil {
			t.Error("the database allowed expired bundles to return")
		}
		if err := w.exec(`UPDATE static_exports SET bundles = '[{}]' WHERE id = $1`, j.ID); err == nil {
			t.Error("the database let a completed export change its bundles")
		}
	})
	t.Run("deployments that waiting exports need are kept", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		needed := w.published(deploy.Production, o.ID, p.ID, "")
		w.published(deploy.Production, o.ID, p.ID, "")
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateExport(w.ctx,
				export.Job{OrganizationID: o.ID, ProjectID: p.ID, Domain: "docs.example.com", DeploymentID: needed})
			return err
		})
		prune := func() int {
			stay, err := w.s.PruneDeployments(w.ctx, p.ID, store.Keep{Productions: 1})
			w.ok(err)
			return len(stay)
		}
		if n := prune(); n != 2 {
			t.Errorf("%d were kept", n)
		}
		w.ok(w.s.FailExport(w.ctx, hold(w.take("w")), "No."))
		if n := prune(); n != 1 {
			t.Errorf("%d were kept after the export had ended", n)
		}
	})
}

func testExportQuota(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		l := export.Limits{MaxStored: 60}
		foreign, err := w.complete(other.ID, "docs.example.com", 60, l)
		w.ok(err)
		var list []export.Job
		for i := range 6 {
			j, err := w.complete(o.ID, "docs.example.com", 10, l)
			w.ok(err)
			list = append(list, j)
			if i == 1 {
				w.tx(func(tx *store.Tx) error {
					_, err := tx.NoteExportLink(w.ctx, o.ID, j.ID, w.clock.now().Add(24*time.Hour))
					return err
				})
			}
		}
		if got := w.expired(list); got != nil {
			t.Fatalf("expired %v although all fit", got)
		}
		j, err := w.complete(o.ID, "api.example.com", 20, l)
		w.ok(err)
		if got := w.expired(append(list, j, foreign)); !slices.Equal(got, []int{0, 2}) {
			t.Errorf("expired %v", got)
		}
		_, err = w.complete(o.ID, "api.example.com", 20, l) // 1 has a link, and 3 to 5 are the newest three
		w.wantFault(err, fault.Invalid, "export_quota")
		w.clock.advance(24 * time.Hour)
		if n, err := w.s.ExpireExports(w.ctx, export.Limits{MaxStored: 50}); err != nil || n != 1 {
			t.Errorf("a lower quota expired %d (error %v)", n, err)
		}
		if got := w.expired(append(list, j)); !slices.Equal(got, []int{0, 1, 2}) {
			t.Errorf("expired %v", got)
		}
	}
}
