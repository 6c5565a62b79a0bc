package queue_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/store/queue"
)

// Each task of a backlog runs once. All processes together look for tasks about as often as there are tasks, rather
// than each process once per task.
func TestBacklogIsNotSearchedByEveryProcess(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, url string) {
		const tasks, workers = 60, 4
		var all []*process
		began := make(chan running, tasks)
		for range workers {
			p := open(t, url, true, queue.Options{Slots: 2})
			all = append(all, p)
			go func() {
				for r := range p.runs {
					r.end()
					began <- r
				}
			}()
			t.Cleanup(func() { close(p.runs) })
		}
		sender := open(t, url, false, queue.Options{})
		for range tasks / 10 {
			sender.mustExport(10)
		}
		seen := map[string]bool{}
		for range tasks {
			seen[await(t, "a task", began).id] = true
		}
		if len(seen) != tasks {
			t.Errorf("%d different tasks were run", len(seen))
		}
		looks := 0
		for _, p := range all {
			p.stop()
			for range len(p.looks) {
				if lane := <-p.looks; lane == task.Ordinary {
					looks++
				}
			}
		}
		if most := tasks * 2; looks > most {
			t.Errorf("%d searches for %d tasks by %d processes, want %d at most", looks, tasks, workers, most)
		}
	})
}

// If the listening connection is lost, the process listens again, and tasks that were queued in the meantime are run.
func TestLostConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	url := server.Database(t)
	worker, sender := open(t, url, true, queue.Options{Slots: 1}), open(t, url, false, queue.Options{})
	const listener = `FROM pg_stat_activity WHERE datname = current_database() AND query IN ('LISTEN lectern_wake', '-- ping')`
	listens := func() string { return server.Query(t, url, `SELECT COALESCE(max(pid), 0) `+listener) }
	var first string
	until(t, "a listener", func() bool { first = listens(); return first != "0" })
	sender.mustExport(1)
	await(t, "the task before", worker.runs).end()
	if killed := server.Query(t, url, `SELECT count(pg_terminate_backend(pid)) `+listener); killed != "1" {
		t.Fatalf("%s connections listened", killed)
	}
	sender.mustExport(1) // possibly while no connection is listening
	await(t, "the task meanwhile", worker.runs).end()
	until(t, "another listener", func() bool { now := listens(); return now != "0" && now != first })
	sender.mustExport(1)
	await(t, "the task after", worker.runs).end()
}
