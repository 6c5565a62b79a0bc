package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) product(organizationID, projectID, name string) (p project.Product, err error) {
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		p, err = tx.CreateProduct(w.ctx, project.Product{OrganizationID: organizationID, ProjectID: projectID, Name: name,
			Source:    project.Source{Repository: "https://git.example.com/a/" + name, Branch: "main", Credential: "docs"},
			CreatedBy: "key_a"})
		return err
	})
	return p, err
}

func testProduct(t *testing.T, database func(*testing.T) string) {
	t.Run("belongs to one project", func(t *testing.T) {
		w := newWorld(t, database)
		o, other := w.organization("a"), w.organization("b")
		p := w.project(o.ID, "docs.example.com")
		made, err := w.product(o.ID, p.ID, "server")
		w.ok(err)
		if _, err := w.product(o.ID, p.ID, "server"); !fault.HasCode(err, "product_repository_exists") {
			t.Errorf("twice: %v", err)
		}
		if _, err := w.product(other.ID, p.ID, "x"); !fault.HasCode(err, "unknown_project") {
			t.Errorf("in another organization's project: %v", err)
		}
		if list, err := w.s.ListProducts(w.ctx, o.ID, p.ID); err != nil || len(list) != 1 || list[0] != made {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := w.s.ListProducts(w.ctx, other.ID, p.ID); err != nil || len(list) != 0 {
			t.Errorf("another organization's list: %+v, %v", list, err)
		}
		remove := func(organizationID string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.DeleteProduct(w.ctx, organizationID, p.ID, made.ID)
				return err
			})
		}
		if err := remove(other.ID); !fault.HasCode(err, "unknown_product_repository") {
			t.Errorf("delete another organization's: %v", err)
		}
		w.ok(remove(o.ID))
		for n := range project.MaxProducts {
			_, err := w.product(o.ID, p.ID, fmt.Sprint("p", n))
			w.ok(err)
		}
		if _, err := w.product(o.ID, p.ID, "more"); !fault.HasCode(err, "too_many_product_repositories") {
			t.Errorf("%v", err)
		}
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, p.ID) })
		if list, err := w.s.ListProducts(w.ctx, o.ID, p.ID); err != nil || len(list) != 0 {
			t.Errorf("left behind: %+v, %v", list, err)
		}
	})
	t.Run("is checked by one process, and its commits are recorded once", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		p := w.project(o.ID, "docs.example.com")
		made, err := w.product(o.ID, p.ID, "server")
		w.ok(err)
		due := func() int {
			t.Helper()
			list, err := w.s.TakeDueProducts(w.ctx, w.clock.now().Add(-time.Minute), 10)
			w.ok(err)
			return len(list)
		}
		if due() != 1 || due() != 0 {
			t.Error("it is not due once")
		}
		w.tx(func(tx *store.Tx) error { return tx.AskProduct(w.ctx, made.ID) })
		if due() != 1 {
			t.Error("a push does not make it due")
		}
		w.clock.advance(2 * time.Minute)
		if due() != 1 {
			t.Error("it is not due after a while")
		}
		hourly := func() int {
			t.Helper()
			list, err := w.s.TakeDueProducts(w.ctx, w.clock.now().Add(-time.Hour), 10)
			w.ok(err)
			w.clock.advance(2 * time.Minute)
			return len(list)
		}
		w.clock.advance(2 * time.Hour)
		if hourly()+hourly() != 2 {
			t.Error("it is not due again soon after an unfinished check")
		}
		w.ok(w.s.CheckedProduct(w.ctx, made.ID))
		if hourly() != 0 {
			t.Error("it is due again soon after a check")
		}
		w.tx(func(tx *store.Tx) error { return tx.AskProduct(w.ctx, made.ID) })
		w.ok(w.s.CheckedProduct(w.ctx, made.ID))
		if hourly() != 1 {
			t.Error("a check hides a push that was reported during it")
		}
		see := func(from project.Product, commit string) (fresh bool) {
			t.Helper()
			w.tx(func(tx *store.Tx) (err error) { fresh, err = tx.SeeProduct(w.ctx, from, commit); return err })
			return fresh
		}
		if !see(made, "one") || see(made, "two") {
			t.Error("a commit replaces one that another process recorded")
		}
		tags := func(before []string, known bool, now ...string) (fresh bool) {
			t.Helper()
			w.tx(func(tx *store.Tx) (err error) {
				fresh, err = tx.SeeTags(w.ctx, made.ID, before, known, now)
				return err
			})
			return fresh
		}
		if list, known, err := w.s.FindProductTags(w.ctx, made.ID); err != nil || known || len(list) != 0 {
			t.Errorf("tags before the first check: %v, %v, %v", list, known, err)
		}
		if !tags(nil, false) || tags(nil, false, "v1") || !tags(nil, true, "v1", "v2") || tags(nil, true, "v3") {
			t.Error("tags replace those that another process recorded")
		}
		if list, known, err := w.s.FindProductTags(w.ctx, made.ID); err != nil || !known || !slices.Equal(list, []string{"v1", "v2"}) {
			t.Errorf("%v, %v, %v", list, known, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.ForgetTags(w.ctx, made.ID) })
		if _, known, err := w.s.FindProductTags(w.ctx, made.ID); err != nil || known {
			t.Errorf("cleared: %v, %v", known, err)
		}
		if _, _, err := w.s.FindProductTags(w.ctx, "prd_none"); !fault.HasCode(err, "unknown_product_repository") {
			t.Errorf("%v", err)
		}
		made.Seen = "one"
		if !see(made, "two") {
			t.Error("the next commit is not recorded")
		}
	})
}
