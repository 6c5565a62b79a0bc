package storetest

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// modelJob is the state that one export should have according to the specification. It is compared with the store.
type modelJob struct {
	organizationID string
	status         export.Status
	progress       float64
	pages          int
	state          task.State
	attempts       int
	fence          int64
	cancelAsked    bool
}

// model drives a store and predicts its results.
type model struct {
	*world
	rng   *rand.Rand
	orgs  []string
	jobs  map[string]*modelJob
	names []string    // keys of jobs, in order of creation
	holds []task.Hold // every hold that was ever returned, most of them stale
}

// J3, J4, J5: random moves, whether allowed or not, are tried with current and stale holds. After each move, the store
// is compared with the model.
func testExportModel(t *testing.T, database func(*testing.T) string) {
	for seed := range uint64(4) {
		w := newWorld(t, database)
		m := &model{world: w, rng: rand.New(rand.NewPCG(seed, 2)), jobs: map[string]*modelJob{},
			orgs: []string{w.organization("a").ID, w.organization("b").ID}}
		moves := []func(){m.create, m.take, m.take, m.start, m.start, m.advance, m.advance, m.advance, m.complete,
			m.fail, m.release, m.lapse, m.cancel}
		for step := range 250 {
			moves[m.rng.IntN(len(moves))]()
			if m.compare(); t.Failed() {
				t.Fatalf("seed %d, step %d", seed, step)
			}
		}
	}
}

func (m *model) create() {
	org := m.orgs[m.rng.IntN(len(m.orgs))]
	j := m.export(org)
	m.jobs[j.ID] = &modelJob{organizationID: org, status: export.Queued, state: task.Queued}
	m.names = append(m.names, j.ID)
}

func (m *model) take() {
	k, ok, err := m.s.TakeTask(m.ctx, "w", lease, false)
	m.ok(err)
	waiting := 0
	for _, j := range m.jobs {
		if j.state == task.Queued {
			waiting++
		}
	}
	if ok != (waiting > 0) {
		m.t.Errorf("a task was handed out: %v, although %d are waiting", ok, waiting)
	}
	if !ok {
		return
	}
	j := m.jobs[k.ID]
	if j.state != task.Queued {
		m.t.Errorf("a task that is %s was handed out", j.state)
	}
	j.state, j.attempts, j.fence = task.Running, j.attempts+1, j.fence+1
	m.holds = append(m.holds, hold(k))
}

// anyHold picks a hold, preferably a newer one, and reports whether it is still valid.
func (m *model) anyHold() (h task.Hold, j *modelJob, good bool) {
	if len(m.holds) == 0 {
		return task.Hold{TaskID: "se_none", Fence: 1}, &modelJob{}, false
	}
	i := max(m.rng.IntN(len(m.holds)), m.rng.IntN(len(m.holds)))
	h = m.holds[i]
	j = m.jobs[h.TaskID]
	return h, j, j.state == task.Running && j.fence == h.Fence
}

// check compares an outcome with what the model allows, and reports whether the move was made.
func (m *model) check(what string, err error, good, allowed bool) bool {
	switch {
	case !good:
		m.wantLost(what, err)
	case allowed && err != nil:
		m.t.Errorf("%s: %v", what, err)
	case !allowed && err == nil:
		m.t.Errorf("%s was allowed", what)
	}
	return good && allowed && err == nil
}

func (m *model) start() {
	h, j, good := m.anyHold()
	_, err := m.s.StartExport(m.ctx, h, lease)
	if m.check("start", err, good, true) {
		j.status = export.Running
	}
}

func (m *model) advance() {
	h, j, good := m.anyHold()
	p := store.ExportProgress{Progress: m.rng.Float64() * 99, PageCount: m.rng.IntN(50), Stage: export.StagePages}
	asked, err := m.s.AdvanceExport(m.ctx, h, lease, p)
	if !m.check("advance", err, good, true) {
		return
	}
	if asked != j.cancelAsked {
		m.t.Errorf("advance says stop: %v, want %v", asked, j.cancelAsked)
	}
	if j.status == export.Running {
		j.progress, j.pages = max(j.progress, p.Progress), max(j.pages, p.PageCount)
	}
}

func (m *model) complete() {
	h, j, good := m.anyHold()
	pages := m.rng.IntN(50)
	err := m.s.CompleteExport(m.ctx, h, pages, bundles())
	if m.check("complete", err, good, j.status == export.Running && !j.cancelAsked) {
		j.status, j.progress, j.pages, j.state = export.Completed, 100, max(j.pages, pages), task.Done
	}
}

func (m *model) fail() {
	h, j, good := m.anyHold()
	if m.check("fail", m.s.FailExport(m.ctx, h, "No."), good, true) {
		j.status, j.state = export.Failed, task.Done
	}
}

func (m *model) release() {
	h, j, good := m.anyHold()
	if m.check("release", m.s.ReleaseTask(m.ctx, h, nil), good, true) {
		j.state, j.attempts = task.Queued, j.attempts-1
	}
}

// lapse lets every lease expire, except the lease of one worker that still sends heartbeats.
func (m *model) lapse() {
	alive, _, good := m.anyHold()
	m.clock.advance(lease / 2)
	_, err := m.s.Beat(m.ctx, alive, lease)
	m.check("beat", err, good, true)
	m.clock.advance(lease/2 + 1000)
	requeued, err := m.s.RequeueLapsed(m.ctx)
	m.ok(err)
	want := 0
	for name, j := range m.jobs {
		if j.state == task.Running && (!good || name != alive.TaskID) {
			j.state = task.Queued
			want++
		}
	}
	if len(requeued) != want {
		m.t.Errorf("%d tasks were requeued, want %d", len(requeued), want)
	}
}

func (m *model) cancel() {
	if len(m.names) == 0 {
		return
	}
	name := m.names[m.rng.IntN(len(m.names))]
	j := m.jobs[name]
	err := m.s.Tx(m.ctx, func(tx *store.Tx) error {
		_, err := tx.CancelExport(m.ctx, j.organizationID, name, "")
		return err
	})
	switch {
	case j.status.Ended():
		m.wantFault(err, fault.Conflict, "export_ended")
	case err != nil:
		m.t.Errorf("cancel: %v", err)
	case j.state == task.Queued:
		j.status, j.state = export.Failed, task.Done
	default:
		j.cancelAsked = true
	}
}

// compare reads every job back and compares it with the model.
func (m *model) compare() {
	for name, want := range m.jobs {
		j, errJob := m.s.FindExportByID(m.ctx, name)
		k, errTask := m.s.FindTask(m.ctx, name)
		m.ok(errors.Join(errJob, errTask))
		if got := (modelJob{j.OrganizationID, j.Status, j.Progress, j.PageCount, k.State, k.Attempts, k.Fence,
			k.CancelAsked}); got != *want {
			m.t.Errorf("%s is %+v\n want %+v", name, got, *want)
		}
		if (j.Progress == 100) != (j.Status == export.Completed) || (j.Error != "") != (j.Status == export.Failed) {
			m.t.Errorf("%s breaks a rule: %+v", name, j)
		}
	}
}
