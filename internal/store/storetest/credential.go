package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

// credential stores a credential of the organization.
func (w *world) credential(organizationID, name string) (c account.Credential, err error) {
	w.t.Helper()
	err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		c, err = tx.CreateCredential(w.ctx, account.Credential{OrganizationID: organizationID, Name: name,
			Kind: account.CredentialToken, BaseURL: "https://git.example.com", CreatedBy: "key_a"},
			func(credentialID string) string { return "sealed for " + credentialID })
		return err
	})
	return c, err
}

func testCredential(t *testing.T, database func(*testing.T) string) {
	t.Run("belongs to one organization", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		made, err := w.credential(a.ID, "docs")
		w.ok(err)
		if !id.Has(id.Credential, made.ID) || made.Sealed != "sealed for "+made.ID {
			t.Errorf("%+v", made)
		}
		if found, err := w.s.FindCredentialByName(w.ctx, a.ID, "docs"); err != nil || found != made {
			t.Errorf("%+v, %v", found, err)
		}
		for _, ask := range [][2]string{{b.ID, made.ID}, {a.ID, "crd_none"}, {b.ID, "crd_none"}} {
			if _, err := w.s.FindCredential(w.ctx, ask[0], ask[1]); !fault.HasCode(err, "unknown_credential") ||
				!fault.Is(err, fault.NotFound) {
				t.Errorf("%v: %v", ask, err)
			}
		}
		if _, err := w.s.FindCredentialByName(w.ctx, b.ID, "docs"); !fault.HasCode(err, "unknown_credential") {
			t.Errorf("another organization's, found by name: %v", err)
		}
		if _, err := w.credential(a.ID, "docs"); !fault.HasCode(err, "credential_exists") {
			t.Errorf("twice: %v", err)
		}
		_, err = w.credential(b.ID, "docs")
		w.ok(err)
		for organization, want := range map[string]int{a.ID: 1, b.ID: 1, "": 2, "org_none": 0} {
			if list, err := w.s.ListCredentials(w.ctx, organization); err != nil || len(list) != want {
				t.Errorf("%q: %d, %v", organization, len(list), err)
			}
		}
	})
	t.Run("is replaced, resealed, used and deleted only by its organization", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		made, err := w.credential(a.ID, "docs")
		w.ok(err)
		foreign := made
		foreign.OrganizationID = b.ID
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error { _, err := tx.ReplaceCredential(w.ctx, foreign); return err })
		if !fault.HasCode(err, "unknown_credential") {
			t.Errorf("replace another organization's: %v", err)
		}
		err = w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.DeleteCredential(w.ctx, b.ID, made.ID)
			return err
		})
		if !fault.HasCode(err, "unknown_credential") {
			t.Errorf("delete another organization's: %v", err)
		}
		next := made
		next.BaseURL, next.Sealed = "https://other.example.com", "again"
		w.tx(func(tx *store.Tx) (err error) { next, err = tx.ReplaceCredential(w.ctx, next); return err })
		w.tx(func(tx *store.Tx) error { return tx.ResealCredential(w.ctx, made, "lost") }) // it has been replaced since
		w.tx(func(tx *store.Tx) error { return tx.ResealCredential(w.ctx, next, "resealed") })
		at := w.clock.now().Truncate(time.Microsecond).UTC()
		w.ok(w.s.TouchCredential(w.ctx, made, at))
		found, err := w.s.FindCredential(w.ctx, a.ID, made.ID)
		if err != nil || found.Sealed != "resealed" || found.BaseURL != next.BaseURL || found.LastUsedAt == nil ||
			!found.LastUsedAt.Equal(at) {
			t.Errorf("%+v, %v", found, err)
		}
		w.ok(w.s.TouchCredential(w.ctx, found, at.Add(time.Second)))
		if again, err := w.s.FindCredential(w.ctx, a.ID, made.ID); err != nil || !again.LastUsedAt.Equal(at) {
			t.Errorf("recorded within the same minute: %+v, %v", again, err)
		}
		w.tx(func(tx *store.Tx) error { _, err := tx.DeleteCredential(w.ctx, a.ID, made.ID); return err })
		if _, err := w.s.FindCredential(w.ctx, a.ID, made.ID); !fault.HasCode(err, "unknown_credential") {
			t.Errorf("after it was deleted: %v", err)
		}
	})
	t.Run("their number is limited", func(t *testing.T) {
		w := newWorld(t, database)
		a := w.organization("a")
		for n := range account.MaxCredentials {
			_, err := w.credential(a.ID, fmt.Sprint("c", n))
			w.ok(err)
		}
		if _, err := w.credential(a.ID, "one-more"); !fault.HasCode(err, "too_many_credentials") {
			t.Errorf("%v", err)
		}
	})
	t.Run("credentials and local sources of all organizations are found", func(t *testing.T) {
		w := newWorld(t, database)
		if n, err := w.s.CountOrganizations(w.ctx); err != nil || n != 0 {
			t.Errorf("%d organizations, %v", n, err)
		}
		a, b := w.organization("a"), w.organization("b")
		for i, s := range []project.Source{{Path: "/srv/a"}, {Repository: "file:///srv/b"},
			{Repository: "FILE:///srv/b"}, {Repository: "/srv/c"},
			{Repository: "https://git.example.com/file:/x", Credential: "docs"}, {Repository: project.Own}} {
			w.tx(func(tx *store.Tx) error {
				_, err := tx.CreateProject(w.ctx, project.Project{OrganizationID: []string{a.ID, b.ID}[i%2], Name: "p",
					Domains: []string{fmt.Sprintf("d%d.example.com", i)}, Source: s})
				return err
			})
		}
		if list, err := w.s.ListLocalProjects(w.ctx); err != nil || len(list) != 4 {
			t.Errorf("%+v, %v", list, err)
		}
		if list, err := w.s.ListProjectsByCredential(w.ctx, "docs"); err != nil || len(list) != 1 {
			t.Errorf("%+v, %v", list, err)
		}
		if n, err := w.s.CountOrganizations(w.ctx); err != nil || n != 2 {
			t.Errorf("%d organizations, %v", n, err)
		}
	})
}
