package storetest

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) projectRole(m account.Member, p project.Project, role account.Role) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) error { return tx.SetProjectRole(w.ctx, m.ID, p.ID, role) })
}

func testProjectRole(t *testing.T, database func(*testing.T) string) {
	t.Run("is read together with its member", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		a, b := w.project(o.ID, "a.example.com"), w.project(o.ID, "b.example.com")
		m, other := w.member(o.ID, "one@example.com", account.RoleGuest), w.member(o.ID, "two@example.com", account.RoleViewer)
		w.projectRole(m, a, account.RoleViewer)
		w.projectRole(m, b, account.RoleAdmin)
		w.projectRole(m, a, account.RoleEditor)
		byID, err := w.s.FindMember(w.ctx, o.ID, m.ID)
		w.ok(err)
		colleague, err := w.s.FindColleague(w.ctx, o.ID, m.ID)
		w.ok(err)
		places, err := w.s.ListMemberships(w.ctx, m.Email)
		w.ok(err)
		for _, got := range []account.Member{byID, colleague.Member, places[0].Member} {
			if got.RoleIn(a.ID) != account.RoleEditor || got.RoleIn(b.ID) != account.RoleAdmin ||
				got.RoleIn("") != account.RoleGuest || len(got.Projects.List()) != 2 {
				t.Errorf("%+v", got)
			}
		}
		if got, err := w.s.FindMember(w.ctx, o.ID, other.ID); err != nil || got != other {
			t.Errorf("%+v (error %v)", got, err)
		}
		list, err := w.s.ListProjectMembers(w.ctx, o.ID, a.ID)
		if err != nil || len(list) != 1 || list[0].ID != m.ID || list[0].InProject != account.RoleEditor {
			t.Errorf("%+v (error %v)", list, err)
		}
		if list, err := w.s.ListProjectMembers(w.ctx, w.organization("b").ID, a.ID); err != nil || len(list) != 0 {
			t.Errorf("another organization is shown %+v (error %v)", list, err)
		}
		w.tx(func(tx *store.Tx) error { return tx.RemoveProjectRole(w.ctx, m.ID, a.ID) })
		if got, err := w.s.FindMember(w.ctx, o.ID, m.ID); err != nil || got.Sees(a.ID) || !got.Sees(b.ID) {
			t.Errorf("%+v (error %v)", got, err)
		}
	})
	t.Run("is deleted with its project and with its member", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		a, b := w.project(o.ID, "a.example.com"), w.project(o.ID, "b.example.com")
		m := w.member(o.ID, "one@example.com", account.RoleGuest)
		w.projectRole(m, a, account.RoleViewer)
		w.projectRole(m, b, account.RoleViewer)
		rows := func() int64 { return w.count(`SELECT COUNT(*) FROM project_roles`) }
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, o.ID, a.ID) })
		if n := rows(); n != 1 {
			t.Errorf("%d roles after the project was deleted", n)
		}
		w.tx(func(tx *store.Tx) error { return tx.RemoveMember(w.ctx, m) })
		if n := rows(); n != 0 {
			t.Errorf("%d roles after the member was removed", n)
		}
	})
	t.Run("limits lists to its projects, on every page", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		a, b := w.project(o.ID, "a.example.com"), w.project(o.ID, "b.example.com")
		for _, p := range []project.Project{a, b, a} {
			w.tx(func(tx *store.Tx) error {
				_, err := tx.CreateExport(w.ctx, export.Job{OrganizationID: o.ID, ProjectID: p.ID, Domain: p.Domains[0]})
				return err
			})
			w.clock.advance(1000)
		}
		exports := map[string][]string{}
		all, _, err := w.s.ListExports(w.ctx, o.ID, "", store.Page{Limit: 10})
		w.ok(err)
		for _, j := range all {
			exports[j.ProjectID] = append(exports[j.ProjectID], j.ID)
		}
		for _, only := range [][]string{{a.ID}, {b.ID}, {}} {
			var want []string
			for _, id := range only {
				want = append(want, exports[id]...)
			}
			w.wantWalk(want, 1, func(pg store.Page) ([]string, string, error) {
				pg.Projects = only
				list, next, err := w.s.ListExports(w.ctx, o.ID, "", pg)
				return ids(list, next, err, func(i int) string { return list[i].ID })
			})
			w.wantWalk(only, 1, func(pg store.Page) ([]string, string, error) {
				pg.Projects = only
				list, next, err := w.s.ListProjects(w.ctx, o.ID, pg)
				return ids(list, next, err, func(i int) string { return list[i].ID })
			})
			w.wantWalk(only, 1, func(pg store.Page) ([]string, string, error) {
				pg.Projects = only
				list, next, err := w.s.ListDomains(w.ctx, o.ID, pg)
				return ids(list, next, err, func(i int) string { return list[i].ProjectID })
			})
		}
	})
	t.Run("lets a guest read a site for members", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		p, other := w.project(o.ID, "a.example.com"), w.project(o.ID, "b.example.com")
		a := w.setAccess(p, access.Organization)
		who := w.somebody("guest@example.com")
		signedIn := w.session(who, o.ID, "d")
		m := w.member(o.ID, who.Email, account.RoleGuest)
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateReaderSession(w.ctx, access.Session{Hash: "h", ProjectID: p.ID, Host: "a.example.com",
				Version: a.Version, Method: access.Organization, Subject: who.ID, MemberSession: signedIn.ID},
				access.DefaultSessionCap())
			return err
		})
		w.projectRole(m, other, account.RoleAdmin)
		w.wantReaders(p, "a.example.com", map[string]bool{"h": false})
		w.projectRole(m, p, account.RoleViewer)
		w.wantReaders(p, "a.example.com", map[string]bool{"h": true})
		w.tx(func(tx *store.Tx) error { return tx.RemoveProjectRole(w.ctx, m.ID, p.ID) })
		w.wantReaders(p, "a.example.com", map[string]bool{"h": false})
	})
	t.Run("the first guest locks out older programs", func(t *testing.T) {
		for name, makeGuest := range map[string]func(*world, account.Organization, account.Member) error{
			"member": func(w *world, o account.Organization, _ account.Member) error {
				return w.s.Tx(w.ctx, func(tx *store.Tx) error {
					_, err := tx.AddMember(w.ctx, o.ID, "guest@example.com", account.RoleGuest)
					return err
				})
			},
			"role": func(w *world, _ account.Organization, m account.Member) error {
				return w.s.Tx(w.ctx, func(tx *store.Tx) error { return tx.SetRole(w.ctx, m, account.RoleGuest) })
			},
			"link": func(w *world, o account.Organization, _ account.Member) error {
				return w.s.Tx(w.ctx, func(tx *store.Tx) error {
					_, err := tx.CreateInvitation(w.ctx, account.Invitation{OrganizationID: o.ID, Kind: account.InviteJoin,
						Email: "new@example.com", Role: account.RoleGuest, Hash: "h", ExpiresAt: w.clock.now()})
					return err
				})
			},
		} {
			w := newWorld(t, database)
			o := w.organization("a")
			m := w.member(o.ID, "one@example.com", account.RoleViewer)
			floor := func() int64 {
				return w.count(`SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'oldest_program'`)
			}
			before := floor()
			w.ok(makeGuest(w, o, m))
			if after := floor(); before >= after || after > store.NewestSchema() {
				t.Errorf("%s: the oldest program is %d, and was %d", name, after, before)
			}
		}
	})
	t.Run("is stored in an invitation", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("a")
		want := account.ProjectRole{ProjectID: w.project(o.ID, "a.example.com").ID, Role: account.RoleEditor}
		made := w.invitation(account.Invitation{OrganizationID: o.ID, Email: "new@example.com", Hash: "x", Project: want})
		list, err := w.s.ListInvitations(w.ctx, o.ID)
		w.ok(err)
		if !slices.ContainsFunc(list, func(i account.Invitation) bool { return i.ID == made.ID && i.Project == want }) {
			t.Errorf("%+v", list)
		}
	})
}
