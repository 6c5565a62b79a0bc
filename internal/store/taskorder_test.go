package store_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// waitingTask holds the columns of a task that determine the order.
type waitingTask struct {
	id, kind, organization, state, receiver string
	created, started, notBefore             int64
}

// full holds the limits on running tasks per organization and per receiver.
var full = struct{ jobs, exports, receiver int }{3, 2, 2}

// expected returns the id of the task to take according to the definition of the order, computed from all rows. It
// returns "" if there is none.
func expected(rows []waitingTask, now int64, express bool, lane task.Lane, kinds []task.Kind) string {
	jobs, exports, receivers, last := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int64{}
	for _, r := range rows {
		last[r.organization] = max(last[r.organization], r.started)
		if r.state != "running" {
			continue
		}
		receivers[r.receiver]++
		if slices.Contains(lane.Kinds(), task.Kind(r.kind)) {
			jobs[r.organization]++
		}
		if r.kind == "export" {
			exports[r.organization]++
		}
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(r waitingTask) bool {
		most := full.jobs
		if express {
			most = 1
		}
		return r.state != "queued" || !slices.Contains(kinds, task.Kind(r.kind)) || r.notBefore > now ||
			jobs[r.organization] >= most || r.kind == "export" && exports[r.organization] >= full.exports ||
			r.receiver != "" && receivers[r.receiver] >= full.receiver
	})
	if len(rows) == 0 {
		return ""
	}
	return slices.MinFunc(rows, func(a, b waitingTask) int {
		return cmp.Or(cmp.Compare(jobs[a.organization], jobs[b.organization]),
			cmp.Compare(last[a.organization], last[b.organization]), cmp.Compare(a.created, b.created),
			cmp.Compare(a.organization, b.organization), cmp.Compare(a.id, b.id))
	}).id
}

// orderWorld is a database with random changes to tasks.
type orderWorld struct {
	t       *testing.T
	s       *store.Store
	random  *mathrand.Rand
	at      time.Time
	made    int
	history []string
}

func (w *orderWorld) run(text string) {
	w.t.Helper()
	w.history = append(w.history, text)
	if err := execute(w.t.Context(), w.s, text); err != nil {
		w.t.Fatalf("%s: %v", text, err)
	}
}

func (w *orderWorld) rows() (out []waitingTask) {
	w.t.Helper()
	for _, text := range texts(w.t, w.s, `SELECT id || ' ' || kind || ' ' || organization_id || ' ' || state || ' ' || created_at
		|| ' ' || started_at || ' ' || not_before || ' ' || receiver FROM tasks`) {
		var r waitingTask
		_, _ = fmt.Sscan(text, &r.id, &r.kind, &r.organization, &r.state, &r.created, &r.started, &r.notBefore, &r.receiver)
		out = append(out, r)
	}
	return out
}

// change makes one random change to tasks, other than taking one.
func (w *orderWorld) change() {
	w.t.Helper()
	now := w.at.UnixMicro()
	pick := func(state, also string) string {
		found := texts(w.t, w.s, fmt.Sprintf(`SELECT id FROM tasks WHERE state = '%s' %s ORDER BY id`, state, also))
		if len(found) == 0 {
			return "none"
		}
		return found[w.random.IntN(len(found))]
	}
	set := func(task, values string) { w.run(fmt.Sprintf(`UPDATE tasks SET %s WHERE id = '%s'`, values, task)) }
	switch w.random.IntN(11) {
	case 0, 1, 2, 3:
		kind := []string{"export", "deploy", "delivery", "agent"}[w.random.IntN(4)]
		organization := fmt.Sprintf("org_%d", w.random.IntN(25))
		receiver, notBefore := "", int64(0)
		if kind == "delivery" {
			receiver = fmt.Sprintf("whe_%s_%d", organization, w.random.IntN(2))
		}
		if w.random.IntN(4) == 0 {
			notBefore = now + int64(w.random.IntN(4000))
		}
		for range 1 + w.random.IntN(4) {
			w.made++
			w.run(fmt.Sprintf(`INSERT INTO tasks (id, kind, organization_id, state, created_at, receiver, not_before)
				VALUES ('t%05d', '%s', '%s', 'queued', %d, '%s', %d)`, w.made, kind, organization, now, receiver, notBefore))
		}
	case 4, 5:
		set(pick("running", ""), `state = 'done', lease_until = 0`)
	case 6: // the lease has expired, or the worker has stopped
		set(pick("running", ""), `state = 'queued', lease_until = 0`)
	case 7: // an outage
		set(pick("running", ""), fmt.Sprintf(`state = 'queued', not_before = %d`, now+int64(w.random.IntN(4000))))
	case 8: // canceled
		set(pick("queued", ""), `state = 'done'`)
	case 9: // a message to an agent job that was canceled or has ended
		set(pick("done", "AND kind = 'agent'"), fmt.Sprintf(`state = 'queued', created_at = %d`, now))
	case 10: // taken by a server from an older release
		set(pick("queued", ""), fmt.Sprintf(`state = 'running', fence = fence + 1, started_at = %d`, now))
	}
}

// J7: no matter what happens to tasks, a worker takes the task that is next in the defined order.
func TestTakeTaskFollowsTheDefinedOrder(t *testing.T) {
	for engine, database := range engines() {
		for seed := range uint64(tier.Choose(2, 20)) {
			t.Run(fmt.Sprintf("%s %d", engine, seed), func(t *testing.T) {
				t.Parallel()
				w := &orderWorld{t: t, random: mathrand.New(mathrand.NewPCG(seed, 7)), at: time.UnixMicro(1_800_000_000_000_000)}
				var err error
				w.s, err = store.Open(t.Context(), store.Options{URL: database(t), Now: func() time.Time { return w.at },
					IDs: id.Source{Rand: rand.Reader}, Wake: func(context.Context, any, task.Lane) error { return nil }})
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = w.s.Close() }()
				if _, err := w.s.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				w.s.SetCaps(store.Caps{Jobs: full.jobs, Exports: full.exports})
				for i := range 25 {
					w.run(fmt.Sprintf(`INSERT INTO organizations (id, name, plan, created_at) VALUES ('org_%d', 'o', 'pro', 0)`, i))
				}
				taken := 0
				for range 600 {
					w.at = w.at.Add(time.Duration(w.random.IntN(3)) * 500 * time.Microsecond)
					if w.random.IntN(3) > 0 {
						w.change()
					} else if w.take() {
						taken++
					}
				}
				if taken < 50 {
					t.Errorf("only %d tasks were taken", taken)
				}
			})
		}
	}
}

// take takes a task from a random lane and checks that it is the one that the definition requires.
func (w *orderWorld) take() bool {
	w.t.Helper()
	lane := []task.Lane{task.Ordinary, task.Express, task.Agents, task.Deliveries}[w.random.IntN(4)]
	kinds := lane.Kinds()
	if len(kinds) == 2 && w.random.IntN(4) == 0 {
		kinds = kinds[:1]
	}
	want := expected(w.rows(), w.at.UnixMicro(), lane == task.Express, lane, kinds)
	got, ok, err := w.s.TakeTask(w.t.Context(), "w", time.Minute, lane == task.Express, kinds...)
	w.history = append(w.history, fmt.Sprintf("take %s %v: %s", lane, kinds, got.ID))
	if err != nil || ok != (want != "") || got.ID != want {
		w.t.Fatalf("took %q (error %v), want %q; after\n%v", got.ID, err, want, w.history[max(0, len(w.history)-30):])
	}
	return ok
}
