package storetest

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func testOrganization(t *testing.T, database func(*testing.T) string) {
	t.Run("is found unchanged", func(t *testing.T) {
		w := newWorld(t, database)
		made := w.organization("Ünïted Docs")
		found, err := w.s.FindOrganization(w.ctx, made.ID)
		w.ok(err)
		if found != made || !id.Has(id.Organization, made.ID) || made.Plan != account.PlanEnterprise {
			t.Errorf("stored %+v, found %+v", made, found)
		}
		_, err = w.s.FindOrganization(w.ctx, "org_none")
		w.wantFault(err, fault.NotFound, "unknown_organization")
	})
	t.Run("is listed oldest first", func(t *testing.T) {
		w := newWorld(t, database)
		var want []string
		for _, name := range []string{"c", "a", "b"} {
			want = append(want, w.organization(name).ID)
			w.clock.advance(1000)
		}
		list, err := w.s.ListOrganizations(w.ctx)
		w.ok(err)
		for i, o := range list {
			if len(list) != len(want) || o.ID != want[i] {
				t.Fatalf("listed %+v, want %v", list, want)
			}
		}
	})
	t.Run("changes its plan", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.tx(func(tx *store.Tx) error { return tx.SetPlan(w.ctx, a.ID, account.PlanPro) })
		for _, want := range []struct {
			id   string
			plan account.Plan
		}{{a.ID, account.PlanPro}, {b.ID, account.PlanEnterprise}} {
			if o, err := w.s.FindOrganization(w.ctx, want.id); err != nil || o.Plan != want.plan {
				t.Errorf("plan is %s, want %s (error %v)", o.Plan, want.plan, err)
			}
		}
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.SetPlan(w.ctx, "org_none", account.PlanPro) }),
			fault.NotFound, "unknown_organization")
		if err := w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.SetPlan(w.ctx, a.ID, "platinum") }); err == nil {
			t.Error("a plan that does not exist was stored")
		}
	})
	t.Run("an address is a member only once", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		add := func(o account.Organization, email string, role account.Role) (m account.Member, err error) {
			err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
				m, err = tx.AddMember(w.ctx, o.ID, email, role)
				return err
			})
			w.clock.advance(1000)
			return m, err
		}
		first, err := add(a, "one@example.com", account.RoleOwner)
		w.ok(err)
		_, err = add(a, "one@example.com", account.RoleViewer)
		w.wantFault(err, fault.Conflict, "member_exists")
		second, err := add(a, "two@example.com", account.RoleEditor)
		w.ok(err)
		_, err = add(b, "one@example.com", account.RoleViewer)
		w.ok(err)
		list, err := w.s.ListMembers(w.ctx, a.ID)
		w.ok(err)
		if len(list) != 2 || list[0].Member != first || list[1].Member != second {
			t.Errorf("listed %+v", list)
		}
	})
}
