package storetest

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/store"
)

func testEventEnd(t *testing.T, database func(*testing.T) string) {
	t.Run("ended deployments, exports and agent jobs are recorded once and delivered", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		e := w.endpoint(endpoint.Endpoint{OrganizationID: o.ID, ProjectID: p.ID})
		want := func(action, target string, data map[string]string) {
			t.Helper()
			list, err := w.s.ListEvents(w.ctx, o.ID, 0, 100)
			w.ok(err)
			list = slices.DeleteFunc(list, func(v event.Event) bool { return v.Target != target })
			if len(list) != 1 || list[0].Action != action || list[0].Actor != "system" {
				t.Fatalf("the events of %s are %+v", target, list)
			}
			for name, value := range data {
				if list[0].Data[name] != value {
					t.Errorf("%s of %s is %q", name, action, list[0].Data[name])
				}
			}
			if data["project"] == p.ID {
				h, one := w.ship()
				if one.Event.ID != list[0].ID || one.Endpoint.ID != e.ID {
					t.Errorf("%s is not delivered: %+v", action, one)
				}
				if one.Event.Data["outcome"] != data["outcome"] {
					t.Errorf("the outcome of %s is delivered as %q", action, one.Event.Data["outcome"])
				}
				w.ok(w.s.EndDelivery(w.ctx, h, one.Delivery, nil, "", ""))
			}
		}
		d, h := w.started(p, deploy.Production, "")
		d.Commit, d.ManifestKey = "c1", "m"
		w.ok(w.s.PublishDeployment(w.ctx, h, d))
		w.wantLost("publish twice", w.s.PublishDeployment(w.ctx, h, d))
		want("deployment.succeed", d.ID, map[string]string{"project": p.ID, "kind": "production", "commit": "c1"})
		d, h = w.started(p, deploy.Preview, "next")
		d.Error = "No."
		w.ok(w.s.FailDeployment(w.ctx, h, d))
		want("deployment.fail", d.ID, map[string]string{"project": p.ID, "kind": "preview", "branch": "next"})

		j := w.export(o.ID)
		h = hold(w.take("w"))
		_, err := w.s.StartExport(w.ctx, h, lease)
		w.ok(err)
		w.ok(w.s.CompleteExport(w.ctx, h, 3, []export.Bundle{{Format: export.Zip, Key: "k", Size: 1, SHA256: "x"}}))
		want("export.complete", j.ID, map[string]string{"project": "prj_any", "domain": "docs.example.com"})
		j = w.export(o.ID)
		w.ok(w.s.FailExport(w.ctx, hold(w.take("w")), "No."))
		want("export.fail", j.ID, map[string]string{"domain": "docs.example.com", "code": "export_failed"})
		j = w.export(o.ID)
		w.tx(func(tx *store.Tx) error { // the caller that cancels records the event
			_, err := tx.CancelExport(w.ctx, o.ID, j.ID, "key_a")
			return err
		})
		if w.lastAction(o.ID) != "export.fail" {
			t.Errorf("a canceled export is recorded as %s", w.lastAction(o.ID))
		}

		want("agent.complete", w.agentJobIn(p, agentjob.Completed).ID, map[string]string{"project": p.ID, "outcome": "changed"})
		want("agent.fail", w.agentJobIn(p, agentjob.Failed).ID, map[string]string{"project": p.ID, "outcome": "failed"})
		w.wantChain(o.ID, 6)
	})
}
