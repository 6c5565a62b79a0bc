package storetest

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/export"
)

// exportIn creates an export and moves it to a status, using only documented edges.
func (w *world) exportIn(organizationID string, status export.Status) export.Job {
	w.t.Helper()
	j := w.export(organizationID)
	if status == export.Queued {
		// The next call to take must not get this task.
		w.ok(w.exec(`UPDATE tasks SET state = 'done' WHERE id = $1`, j.ID))
		return j
	}
	h := hold(w.take("w"))
	_, err := w.s.StartExport(w.ctx, h, lease)
	w.ok(err)
	switch status {
	case export.Completed:
		w.ok(w.s.CompleteExport(w.ctx, h, 3, bundles()))
	case export.Failed:
		w.ok(w.s.FailExport(w.ctx, h, "No."))
	}
	return w.findExport(j.ID)
}

// J4: every pair of statuses is tried with a raw statement that satisfies all other rules. If the statement is refused,
// the reason can only be the edge itself, and the database refuses it, not our code.
func testExportEdge(t *testing.T, database func(*testing.T) string) {
	all := []export.Status{export.Queued, export.Running, export.Completed, export.Failed}
	legal := map[string]bool{"queued queued": true, "running running": true, "queued running": true,
		"running completed": true, "running failed": true}
	w := newWorld(t, database)
	o := w.organization("a")
	for _, from := range all {
		for _, to := range all {
			t.Run(fmt.Sprintf("%s to %s", from, to), func(t *testing.T) {
				j := w.exportIn(o.ID, from)
				err := w.exec(`UPDATE static_exports SET status = $2, progress = CASE WHEN $2 = 'completed' THEN 100 ELSE progress END,
					error = CASE WHEN $2 = 'failed' THEN 'No.' ELSE '' END, bundles = '[{}]' WHERE id = $1`, j.ID,
					string(to))
				if want := legal[fmt.Sprintf("%s %s", from, to)]; (err == nil) != want {
					t.Errorf("the database allowed it: %v, want %v (%v)", err == nil, want, err)
				}
				if got := w.findExport(j.ID); err != nil && !reflect.DeepEqual(got, j) {
					t.Errorf("a refused change left %+v", got)
				}
			})
		}
	}
	for name, set := range map[string]string{
		"progress falls (J5)":                        `progress = 9`,
		"the page count falls (J5)":                  `page_count = 3`,
		"progress is 100 without completion (J5)":    `progress = 100`,
		"progress is above 100 (J5)":                 `progress = 100.5`,
		"completion comes with progress below 100":   `status = 'completed', bundles = '[{}]'`,
		"completion comes without a bundle":          `status = 'completed', progress = 100`,
		"failure comes without a reason (J6)":        `status = 'failed'`,
		"an error comes without failure":             `error = 'No.'`,
		"the status is not one of the specification": `status = 'paused'`,
	} {
		t.Run("is refused when "+name, func(t *testing.T) {
			j := w.exportIn(o.ID, export.Running)
			w.ok(w.exec(`UPDATE static_exports SET progress = 10, page_count = 4 WHERE id = $1`, j.ID))
			before := w.findExport(j.ID)
			if err := w.exec(`UPDATE static_exports SET `+set+` WHERE id = $1`, j.ID); err == nil {
				t.Error("the database allowed it")
			}
			if got := w.findExport(j.ID); !reflect.DeepEqual(got, before) {
				t.Errorf("a refused change left %+v", got)
			}
		})
	}
}
