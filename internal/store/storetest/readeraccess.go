package storetest

import (
	"reflect"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func (w *world) setAccess(p project.Project, mode access.Mode) (a access.Settings) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		a, err = tx.SetReaderAccess(w.ctx,
			access.Settings{ProjectID: p.ID, Mode: mode, PasswordHash: "h-" + string(mode)})
		return err
	})
	return a
}

// reader opens a session for a reader under the given settings.
func (w *world) reader(a access.Settings, host, hash string) (s access.Session) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) (err error) {
		s, err = tx.CreateReaderSession(w.ctx, access.Session{Hash: hash, ProjectID: a.ProjectID, Host: host,
			Version: a.Version, Method: a.Mode, Groups: []string{"a", "b"}}, access.DefaultSessionCap())
		return err
	})
	return s
}

// wantReaders fails unless the hashes marked true, and no others, are sessions on the host.
func (w *world) wantReaders(p project.Project, host string, hashes map[string]bool) {
	w.t.Helper()
	for hash, want := range hashes {
		_, err := w.s.FindReaderSession(w.ctx, hash, p.ID, host)
		if want {
			w.ok(err)
		} else {
			w.wantFault(err, fault.NotFound, "unknown_session")
		}
	}
}

func testReaderAccess(t *testing.T, database func(*testing.T) string) {
	t.Run("is public by default", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "docs.example.com")
		a, err := w.s.FindReaderAccess(w.ctx, p.ID)
		if err != nil || a.Protected() || a.Mode != access.Public || a.Version != 0 {
			t.Errorf("%+v (error %v)", a, err)
		}
		live, err := w.s.FindLive(w.ctx, "docs.example.com")
		if err != nil || live.Access.Protected() || live.OrganizationID != p.OrganizationID {
			t.Errorf("%+v (error %v)", live, err)
		}
		first, second := w.setAccess(p, access.Password), w.setAccess(p, access.Organization)
		got, err := w.s.FindReaderAccess(w.ctx, p.ID)
		if err != nil || first.Version != 1 || second.Version != 2 || got.Mode != access.Organization ||
			got.Version != 2 || got.PasswordHash != "h-organization" ||
			!got.UpdatedAt.Equal(second.UpdatedAt.Truncate(time.Microsecond)) {
			t.Errorf("%+v, %+v, %+v (error %v)", first, second, got, err)
		}
		if live, err = w.s.FindLive(w.ctx, "docs.example.com"); err != nil || live.Access != access.Organization {
			t.Errorf("%+v (error %v)", live, err)
		}
	})
	t.Run("locks out programs that would serve a protected site to everyone", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "docs.example.com")
		floor := func() int64 {
			return w.count(`SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'oldest_program'`)
		}
		w.setAccess(p, access.Public)
		before := floor()
		w.setAccess(p, access.Password)
		raised := floor()
		if _, err := w.s.Migrate(w.ctx); err != nil { // starting a server does not lower it
			t.Fatal(err)
		}
		if before >= 21 || raised != 21 || floor() != 21 {
			t.Errorf("oldest program %d, then %d, then %d", before, raised, floor())
		}
	})
	t.Run("is deleted with its project", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, "docs.example.com")
		w.reader(w.setAccess(p, access.Password), "docs.example.com", "h1")
		w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, p.OrganizationID, p.ID) })
		if n := w.count(`SELECT count(*) FROM reader_access`) + w.count(`SELECT count(*) FROM reader_sessions`); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func testReaderSession(t *testing.T, database func(*testing.T) string) {
	const host = "docs.example.com"
	t.Run("is valid only on its host of its project", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		p, other := w.project(o.ID, host), w.project(o.ID, "other.example.com")
		made := w.reader(w.setAccess(p, access.Password), host, "h1")
		w.setAccess(other, access.Password)
		got, err := w.s.FindReaderSession(w.ctx, "h1", p.ID, host)
		made.CreatedAt = made.CreatedAt.UTC().Truncate(time.Microsecond)
		made.SeenAt = made.CreatedAt
		if err != nil || !reflect.DeepEqual(got, made) {
			t.Errorf("stored %+v, found %+v (error %v)", made, got, err)
		}
		w.wantReaders(p, "www.example.com", map[string]bool{"h1": false})
		w.wantReaders(other, host, map[string]bool{"h1": false})
		w.wantReaders(other, "other.example.com", map[string]bool{"h1": false})
		w.wantReaders(p, host, map[string]bool{"h2": false, "": false})
	})
	t.Run("any name that an application gives its reader is stored", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, host)
		a := w.setAccess(p, access.JWT)
		w.tx(func(tx *store.Tx) error {
			_, err := tx.CreateReaderSession(w.ctx, access.Session{Hash: "h1", ProjectID: p.ID, Host: host,
				Version: a.Version, Method: access.JWT, Subject: "a\x00b\xc3", Groups: []string{"g\x00"}}, access.DefaultSessionCap())
			return err
		})
		if got, err := w.s.FindReaderSession(w.ctx, "h1", p.ID, host); err != nil || got.Subject != "a\uFFFDb\uFFFD" {
			t.Errorf("%+v, %v", got, err)
		}
	})
	t.Run("every session ends when the access settings change, even if opened during the change", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		p, other := w.project(o.ID, host), w.project(o.ID, "other.example.com")
		w.reader(w.setAccess(other, access.Password), "other.example.com", "theirs")
		old := w.setAccess(p, access.Password)
		w.reader(old, host, "h1")
		now := w.setAccess(p, access.Password)
		w.reader(old, host, "late") // the password was checked before the change
		w.reader(now, host, "h2")
		w.wantReaders(p, host, map[string]bool{"h1": false, "late": false, "h2": true})
		w.tx(func(tx *store.Tx) error {
			n, err := tx.EndReaderSessions(w.ctx, p.ID)
			if n != 2 {
				t.Errorf("%d sessions ended", n)
			}
			return err
		})
		w.reader(now, host, "later")
		w.wantReaders(p, host, map[string]bool{"h2": false, "later": false})
		w.wantReaders(other, "other.example.com", map[string]bool{"theirs": true})
	})
	t.Run("is used, ended and pruned", func(t *testing.T) {
		w := newWorld(t, database)
		p := w.project(w.organization("o").ID, host)
		a := w.setAccess(p, access.Password)
		w.reader(a, host, "h1")
		w.clock.advance(time.Hour)
		w.reader(a, host, "h2")
		w.reader(a, host, "h3")
		later := w.clock.now()
		w.ok(w.s.TouchReaderSession(w.ctx, "h1", later))
		w.ok(w.s.TouchReaderSession(w.ctx, "h1", later.Add(-time.Hour))) // the time does not move back
		for _, at := range []string{host, host} {
			w.tx(func(tx *store.Tx) error { return tx.EndReaderSession(w.ctx, "h3", p.ID, at) })
		}
		w.tx(func(tx *store.Tx) error { return tx.EndReaderSession(w.ctx, "h2", p.ID, "www.example.com") }) // missing
		w.wantReaders(p, host, map[string]bool{"h1": true, "h2": true, "h3": false})
		w.ok(w.s.PruneReaderSessions(w.ctx, account.SessionLimits{Idle: time.Minute, Absolute: time.Hour}))
		w.wantReaders(p, host, map[string]bool{"h1": false, "h2": true})
		w.clock.advance(time.Minute)
		w.ok(w.s.PruneReaderSessions(w.ctx, account.SessionLimits{Idle: time.Minute, Absolute: time.Hour}))
		w.wantReaders(p, host, map[string]bool{"h2": false})
	})
	t.Run("the least recently used beyond the limits of reader and site end", func(t *testing.T) {
		w := newWorld(t, database)
		o := w.organization("o")
		p, other := w.project(o.ID, host), w.project(o.ID, "other.example.com")
		w.reader(w.setAccess(other, access.Password), "other.example.com", "theirs")
		a := w.setAccess(p, access.OIDC)
		open := func(hash, subject string) {
			w.clock.advance(time.Second)
			w.tx(func(tx *store.Tx) error {
				_, err := tx.CreateReaderSession(w.ctx, access.Session{Hash: hash, ProjectID: p.ID, Host: host, Version: a.Version,
					Method: access.OIDC, Subject: subject}, access.SessionCap{Reader: 2, Site: 4})
				return err
			})
		}
		open("b1", "idp bo")
		open("a1", "idp al")
		open("a2", "idp al")
		w.ok(w.s.TouchReaderSession(w.ctx, "a1", w.clock.now().Add(time.Millisecond)))
		open("a3", "idp al")
		w.wantReaders(p, host, map[string]bool{"a1": true, "a2": false, "a3": true, "b1": true})
		open("x1", "") // no subject
		open("x2", "")
		w.wantReaders(p, host, map[string]bool{"b1": false, "a1": true, "a3": true, "x1": true, "x2": true})
		open("x3", "")
		w.wantReaders(p, host, map[string]bool{"a1": false, "a3": true, "x1": true, "x2": true, "x3": true})
		w.wantReaders(other, "other.example.com", map[string]bool{"theirs": true})
	})
	t.Run("a member's session requires membership and a sign-in", func(t *testing.T) {
		w := newWorld(t, database)
		o, elsewhere := w.organization("o"), w.organization("elsewhere")
		p := w.project(o.ID, host)
		a := w.setAccess(p, access.Organization)
		open := func(email, hash, organizationID string) (account.Person, account.Session) {
			who := w.somebody(email)
			signedIn := w.session(who, organizationID, "d-"+hash)
			w.tx(func(tx *store.Tx) error {
				if _, err := tx.AddMember(w.ctx, organizationID, email, account.RoleViewer); err != nil {
					return err
				}
				_, err := tx.CreateReaderSession(w.ctx, access.Session{Hash: hash, ProjectID: p.ID, Host: host,
					Version: a.Version, Method: access.Organization, Subject: who.ID, MemberSession: signedIn.ID}, access.DefaultSessionCap())
				return err
			})
			return who, signedIn
		}
		open("member@example.com", "h1", o.ID)
		who, signedIn := open("leaves@example.com", "h2", o.ID)
		open("stranger@example.com", "h3", elsewhere.ID)
		w.tx(func(tx *store.Tx) error { return tx.EndReaderSession(w.ctx, "h2", p.ID, "www.example.com") }) // missing
		w.wantReaders(p, host, map[string]bool{"h1": true, "h2": true, "h3": false})
		w.tx(func(tx *store.Tx) error { return tx.EndSession(w.ctx, who.ID, signedIn.ID) })
		w.wantReaders(p, host, map[string]bool{"h1": true, "h2": false})
		w.tx(func(tx *store.Tx) error {
			m, err := tx.FindMemberByEmail(w.ctx, o.ID, "member@example.com")
			if err != nil {
				return err
			}
			return tx.RemoveMember(w.ctx, m)
		})
		w.wantReaders(p, host, map[string]bool{"h1": false})
	})
}
