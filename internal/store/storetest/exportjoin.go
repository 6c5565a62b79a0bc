package storetest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

const making = "program 1"

// wanted returns a request to export a published version of a site.
func wanted(organizationID string, paths ...string) export.Job {
	return export.Job{OrganizationID: organizationID, ProjectID: "prj_x", DeploymentID: "dep_1",
		Domain: "docs.example.com", Version: "v1", Paths: paths}.Identify(making)
}

// forReaders returns the same request, but for readers in groups.
func forReaders(j export.Job, groups ...string) export.Job {
	j.Groups = groups
	return j.Identify(making)
}

func (w *world) start(j export.Job, l export.Limits) (made export.Job, joined bool, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		made, joined, err = tx.QueueExport(w.ctx, j, l)
		return err
	})
	return made, joined, err
}

// made completes the next waiting export with one bundle of the given size.
func (w *world) made(size int64, l export.Limits) (export.Job, error) {
	w.t.Helper()
	h := hold(w.take("w"))
	_, err := w.s.StartExport(w.ctx, h, lease)
	w.ok(err)
	b := export.Bundle{Format: export.TarGz, Key: "exports/" + h.TaskID + "/1/site.tar.gz", Size: size, SHA256: "ab"}
	err = w.s.CompleteExportWithin(w.ctx, h,
		store.ExportDone{Pages: 3, Bundles: []export.Bundle{b}, Making: making, Limits: l,
			Diagnostics: diag.List{{File: "a.mdx", Line: 2, Column: 3, Severity: diag.Warning, Code: "c",
				Message: "m"}}})
	return w.findExport(h.TaskID), err
}

func testExportJoin(t *testing.T, database func(*testing.T) string) {
	t.Run("a second start joins a waiting or running job", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		first, joined, err := w.start(wanted(o.ID, "a", "b"), export.Limits{})
		w.ok(err)
		if joined || first.Status != export.Queued || first.DeploymentID != "dep_1" {
			t.Fatalf("the first start made %+v, joined %v", first, joined)
		}
		h := hold(w.take("w"))
		for _, state := range []export.Status{export.Queued, export.Running} {
			if state == export.Running {
				_, err := w.s.StartExport(w.ctx, h, lease)
				w.ok(err)
			}
			if again, joined, err := w.start(wanted(o.ID, "b", "a", "b"), export.Limits{}); err != nil || !joined ||
				again.ID != first.ID || again.Status != state {
				t.Errorf("while it is %s: %+v, joined %v, error %v", state, again, joined, err)
			}
		}
		for name, j := range map[string]export.Job{
			"other pages":          wanted(o.ID, "a"),
			"other readers":        forReaders(wanted(o.ID, "a", "b"), "x"),
			"readers of two":       forReaders(wanted(o.ID, "a", "b"), "x", "y"),
			"every page":           wanted(o.ID),
			"another organization": wanted(other.ID, "a", "b"),
			"a later published state": func() export.Job {
				j := wanted(o.ID, "a", "b")
				j.DeploymentID = "dep_2"
				return j.Identify(making)
			}(),
			"another label": func() export.Job {
				j := wanted(o.ID, "a", "b")
				j.Version = "v2"
				return j.Identify(making)
			}(),
			"another program": wanted(o.ID, "a", "b").Identify("program 2"),
			"nothing published": func() export.Job {
				j := wanted(o.ID, "a", "b")
				j.DeploymentID = ""
				return j.Identify(making)
			}(),
		} {
			if got, joined, err := w.start(j, export.Limits{}); err != nil || joined || got.ID == first.ID {
				t.Errorf("%s: %+v, joined %v, error %v", name, got, joined, err)
			}
		}
	})
	t.Run("concurrent starts create one job", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		ids := make([]string, 16)
		w.ok(together(len(ids), func(i int) error {
			j, _, err := w.start(wanted(o.ID), export.Limits{})
			ids[i] = j.ID
			return err
		}))
		slices.Sort(ids)
		if len(slices.Compact(ids)) != 1 || w.count(`SELECT count(*) FROM static_exports`) != 1 ||
			w.count(`SELECT count(*) FROM tasks`) != 1 {
			t.Errorf("made %v", ids)
		}
	})
	t.Run("the database refuses two open jobs for the same files", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		create := func() error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.CreateExport(w.ctx, wanted(o.ID))
				return err
			})
		}
		w.ok(create())
		if err := create(); err == nil {
			t.Error("the database accepted both")
		}
	})
	t.Run("no start joins a job that is being cancelled", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		first, _, err := w.start(wanted(o.ID), export.Limits{})
		w.ok(err)
		w.take("w")
		w.tx(func(tx *store.Tx) error { _, err := tx.CancelExport(w.ctx, o.ID, first.ID, ""); return err })
		if again, joined, err := w.start(wanted(o.ID), export.Limits{}); err != nil || joined || again.ID == first.ID {
			t.Errorf("%+v, joined %v, error %v", again, joined, err)
		}
	})
	t.Run("a start after completion creates a job with the same bundles (B4)", testExportReuse(database))
}

func testExportReuse(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		_, _, err := w.start(wanted(o.ID), export.Limits{})
		w.ok(err)
		first, err := w.made(10, export.Limits{})
		w.ok(err)
		last := first
		for range 3 { // also from an export that reused bundles itself
			w.clock.advance(time.Minute)
			answered, joined, err := w.start(wanted(o.ID), export.Limits{MaxQueued: 1})
			w.ok(err)
			got := w.findExport(answered.ID)
			if joined || answered.ID == last.ID || answered.Status != export.Queued || answered.Progress != 0 {
				t.Fatalf("answered %+v, joined %v", answered, joined)
			}
			if got.Status != export.Completed || got.ReusedFrom != first.ID ||
				!reflect.DeepEqual(got.Bundles, first.Bundles) || got.PageCount != 3 ||
				!reflect.DeepEqual(got.Diagnostics, first.Diagnostics) ||
				!got.EndedAt.Equal(w.clock.now().Truncate(time.Microsecond)) || got.Total() != 3 {
				t.Fatalf("it is %+v", got)
			}
			last = got
		}
		if _, ok, err := w.s.TakeTask(w.ctx, "w", lease, false); ok || err != nil {
			t.Errorf("a task is waiting (error %v)", err)
		}
		_, err = w.s.ExpireExports(w.ctx, export.Limits{KeepFor: time.Nanosecond})
		w.ok(err)
		w.clock.advance(time.Minute)
		if _, err = w.s.ExpireExports(w.ctx, export.Limits{KeepFor: time.Second}); err != nil {
			t.Fatal(err)
		}
		if again, joined, err := w.start(wanted(o.ID), export.Limits{}); err != nil || joined ||
			w.findExport(again.ID).Status != export.Queued {
			t.Errorf("after its bundles expired: %+v, joined %v, error %v", again, joined, err)
		}
	}
}

func testExportCap(t *testing.T, database func(*testing.T) string) {
	t.Run("an organization's exports run up to its limit, the others wait and are woken (J7)",
		testRunningCap(database))
	t.Run("concurrent workers keep to the limit", func(t *testing.T) {
		w := newWorld(t, database)
		w.backlog(w.organization("a").ID, 20)
		taken := make([]bool, 8)
		w.ok(together(len(taken), func(i int) error {
			s := w.capped(2)
			_, ok, err := s.TakeTask(w.ctx, "w", lease, false)
			taken[i] = ok
			return err
		}))
		if n := w.count(`SELECT count(*) FROM tasks WHERE state = 'running'`); n != 2 {
			t.Errorf("%d run", n)
		}
	})
	t.Run("an organization with too many waiting exports must retry later (A5)", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		l := export.Limits{MaxQueued: 2}
		for _, p := range []string{"a", "b"} {
			_, _, err := w.start(wanted(o.ID, p), l)
			w.ok(err)
		}
		_, _, err := w.start(wanted(o.ID, "c"), l)
		w.wantFault(err, fault.RateLimited, "too_many_exports")
		if f, _ := fault.As(err); f.RetryAfter <= 0 {
			t.Error("the error has no retry time")
		}
		if _, joined, err := w.start(wanted(o.ID, "a"), l); err != nil || !joined {
			t.Errorf("joining was refused: %v", err)
		}
		_, _, err = w.start(wanted(other.ID, "c"), l)
		w.ok(err)
		w.take("w")
		w.take("w")
		_, _, err = w.start(wanted(o.ID, "c"), l) // one export of each organization is running now
		w.ok(err)
	})
}

// capped opens the database like a process that lets an organization run up to n exports at the same time.
func (w *world) capped(n int) *store.Store {
	s := w.replica()
	s.SetCaps(store.Caps{Exports: n})
	return s
}

// J7: an organization never runs more exports at the same time than its limit allows. The other exports wait and are
// woken later.
func testRunningCap(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p := w.project(a.ID, "docs.example.com")
		w.backlog(a.ID, 4)
		s := w.capped(2)
		var held []task.Hold
		for range 2 {
			k, ok, err := s.TakeTask(w.ctx, "w", lease, false)
			if err != nil || !ok {
				t.Fatalf("%v %v", ok, err)
			}
			held = append(held, hold(k))
		}
		if k, ok, err := s.TakeTask(w.ctx, "w", lease, false); ok || err != nil {
			t.Fatalf("a third ran: %+v %v", k, err)
		}
		w.tx(func(tx *store.Tx) error {
			_, err := tx.QueueDeployment(w.ctx, p, deploy.Production, "", "api")
			return err
		})
		if k, ok, err := s.TakeTask(w.ctx, "w", lease, false); !ok || err != nil || k.Kind != task.Deploy {
			t.Fatalf("a task that is not an export waits: %+v %v", k, err)
		}
		w.backlog(b.ID, 1)
		if k, ok, err := s.TakeTask(w.ctx, "w", lease, false); !ok || err != nil || k.OrganizationID != b.ID {
			t.Fatalf("the other organization waits: %+v %v", k, err)
		}
		w.waker.taken()
		for _, end := range []func(task.Hold) error{
			func(h task.Hold) error { return s.FailExport(w.ctx, h, "No.") },
			func(h task.Hold) error {
				if _, err := s.StartExport(w.ctx, h, lease); err != nil {
					return err
				}
				return s.CompleteExport(w.ctx, h, 1, bundles())
			},
		} {
			w.ok(end(held[0]))
			held = held[1:]
			if got := w.waker.taken(); len(got) != 1 {
				t.Errorf("the end of an export woke %v", got)
			}
			k, ok, err := s.TakeTask(w.ctx, "w", lease, false)
			if err != nil || !ok || k.OrganizationID != a.ID {
				t.Fatalf("the next task was not handed out: %+v %v", k, err)
			}
		}
	}
}
