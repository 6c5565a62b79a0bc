package storetest

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testReceipt(t *testing.T, database func(*testing.T) string) {
	t.Run("a merge ends receipts of other jobs for the same page", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		product, err := w.product(o.ID, p.ID, "server")
		w.ok(err)
		j, h := w.heldAgentJob(p)
		cite := func(job, page, quotation string) {
			t.Helper()
			w.ok(w.s.KeepReceipts(w.ctx, o.ID, p.ID, job, nil, []project.Receipt{
				{Product: "server", Page: page, Path: "x.go", Line: 3, Commit: "c1", Quotation: quotation}}))
		}
		cite("aj_old", "a.mdx", "old")
		cite("aj_old", "b.mdx", "old")
		held, err := w.s.ListHeldReceipts(w.ctx, product.ID, project.Receipt{}, 9)
		w.ok(err)
		for _, r := range held {
			w.tx(func(tx *store.Tx) error { return tx.EndReceipt(w.ctx, product, r, "c2") })
		}
		cite("aj_old", "a.mdx", "same")
		cite("aj_old", "a.mdx", "other")
		cite(j.ID, "a.mdx", "same")
		_, err = w.s.RecordAgent(w.ctx, h, lease, store.AgentProgress{Ref: "lectern/a-1", PRLink: "l", PRNumber: 7, PRState: agentjob.PullOpen})
		w.ok(err)
		count := func() int {
			t.Helper()
			list, _, err := w.s.ListReceipts(w.ctx, o.ID, p.ID, "", store.Page{Limit: 9})
			w.ok(err)
			return len(list)
		}
		if n := count(); n != 5 {
			t.Fatalf("%d receipts before the merge", n)
		}
		if !w.notePull(j, "lectern/a-1", 7, agentjob.PullMerged) {
			t.Fatal("the merge was not recorded")
		}
		list, _, err := w.s.ListReceipts(w.ctx, o.ID, p.ID, "", store.Page{Limit: 9})
		w.ok(err)
		left := map[string]string{}
		for _, r := range list {
			left[r.Page+" "+r.Quotation] = r.JobID
		}
		if len(list) != 3 || left["b.mdx old"] != "aj_old" || left["a.mdx other"] != "aj_old" || left["a.mdx same"] != j.ID {
			t.Errorf("left: %v", left)
		}
		remove := func(organizationID, receiptID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.DeleteReceipt(w.ctx, organizationID, p.ID, receiptID)
				return err
			})
		}
		if err := remove(w.organization("b").ID, list[0].ID); !fault.HasCode(err, "unknown_receipt") {
			t.Errorf("another organization's: %v", err)
		}
		w.ok(remove(o.ID, list[0].ID))
		if err := remove(o.ID, list[0].ID); !fault.HasCode(err, "unknown_receipt") || count() != 2 {
			t.Errorf("removed twice: %v", err)
		}
	})
	t.Run("is kept for a job's pages, moves, and ends once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		product, err := w.product(o.ID, p.ID, "server")
		w.ok(err)
		keep := func(pages []string, list ...project.Receipt) {
			t.Helper()
			w.ok(w.s.KeepReceipts(w.ctx, o.ID, p.ID, "aj_1", pages, list))
		}
		one := project.Receipt{Product: "server", Page: "a.mdx", Sentence: "It listens.", Path: "x.go", Line: 3, Commit: "c1", Quotation: "q\x00"}
		two, lost := one, one
		two.Page, lost.Product = "b.mdx", "gone"
		keep([]string{"a.mdx", "b.mdx"}, one, two, lost)
		keep([]string{"a.mdx"}, one) // repeats an interrupted attempt
		held := func() []project.Receipt {
			t.Helper()
			var all []project.Receipt
			for after := (project.Receipt{}); ; after = all[len(all)-1] { // page by page
				list, err := w.s.ListHeldReceipts(w.ctx, product.ID, after, 1)
				w.ok(err)
				if len(list) == 0 {
					return all
				}
				all = append(all, list...)
			}
		}
		if got := held(); len(got) != 2 || got[0].Product != "server" || got[0].Quotation != "q\ufffd" || got[0].JobID != "aj_1" {
			t.Fatalf("%+v", got)
		}
		first := held()[0]
		w.tx(func(tx *store.Tx) error { return tx.MoveReceipt(w.ctx, first, 9, "c2") })
		for _, r := range held() {
			if r.ID == first.ID && (r.Line != 9 || r.Commit != "c2") {
				t.Errorf("moved: %+v", r)
			}
			w.tx(func(tx *store.Tx) error { return tx.EndReceipt(w.ctx, product, r, "c2") })
		}
		listed := func(state project.ReceiptState) (all []project.Receipt) {
			t.Helper()
			for page := (store.Page{Limit: 1}); ; { // page by page
				list, next, err := w.s.ListReceipts(w.ctx, o.ID, p.ID, state, page)
				w.ok(err)
				all = append(all, list...)
				if next == "" {
					return all
				}
				page.Cursor = next
			}
		}
		list := listed("")
		if len(listed(project.ReceiptStale)) != 2 || len(listed(project.ReceiptCurrent)) != 0 {
			t.Errorf("by state: %+v", list)
		}
		if list, _, err := w.s.ListReceipts(w.ctx, w.organization("b").ID, p.ID, "", store.Page{Limit: 9}); err != nil ||
			len(list) != 0 {
			t.Errorf("another organization's: %+v, %v", list, err)
		}
		if len(list) != 2 || list[0].Sentence != "It listens." || len(held()) != 0 || list[0].StaleAt == nil {
			t.Errorf("%+v", list)
		}
		w.tx(func(tx *store.Tx) error { return tx.EndReceipt(w.ctx, product, list[0], "c3") })
		events := w.wantChain(o.ID, 2)
		if e := events[1]; e.Action != "receipt.stale" || e.Data["page"] == "" || e.Data["commit"] != "c2" {
			t.Errorf("%+v", e)
		}
		w.tx(func(tx *store.Tx) error { _, err := tx.DeleteProduct(w.ctx, o.ID, p.ID, product.ID); return err })
		if list := listed(""); len(list) != 0 {
			t.Errorf("left behind: %+v", list)
		}
	})
}
