package storetest

import (
	"errors"
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testDomainPath(t *testing.T, database func(*testing.T) string) {
	t.Run("shares its host only within one organization", testPathOwner(database))
	t.Run("concurrent proofs give the host to one organization", testPathRace(database))
	t.Run("is released and reserved with its host", testPathGivenUp(database))
}

// paths returns the paths of the sites on a host, longest first.
func (w *world) paths(host string) (out []string) {
	w.t.Helper()
	list, err := w.s.ListLive(w.ctx, host)
	w.ok(err)
	for _, l := range list {
		out = append(out, l.Path)
	}
	return out
}

func testPathOwner(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		for _, o := range []string{a.ID, b.ID} { // a claim blocks nobody else
			for _, name := range []string{"acme.test/docs", "acme.test/handbook"} {
				_, err := w.claim(o, name)
				w.ok(err)
				w.wantDomain(o, name, project.DomainPending, project.ProofNone)
			}
		}
		if got := w.paths("acme.test"); got != nil {
			t.Errorf("pending domains are live at %q", got)
		}
		_, err := w.prove(a.ID, "acme.test/docs")
		w.ok(err)
		for _, name := range []string{"acme.test", "acme.test/docs", "acme.test/other", "acme.test/docs/api", "www.acme.test/x"} {
			_, err := w.claim(b.ID, name)
			w.wantFault(err, fault.Conflict, "domain_taken")
		}
		_, err = w.prove(b.ID, "acme.test/handbook")
		w.wantFault(err, fault.Conflict, "domain_taken")
		// the host has been proven, so its other paths and names below it need no further proof
		for _, name := range []string{"acme.test", "acme.test/docs/api", "acme.test/documents"} {
			_, err := w.claim(a.ID, name)
			w.ok(err)
			w.wantDomain(a.ID, name, project.DomainHeld, project.ProofDNS)
		}
		_, err = w.claim(a.ID, "www.acme.test/x")
		w.ok(err)
		w.wantDomain(a.ID, "www.acme.test/x", project.DomainHeld, project.ProofParent)
		_, err = w.claim(a.ID, "acme.test/docs")
		w.wantFault(err, fault.Conflict, "domain_taken") // another project has it
		if got := w.paths("acme.test"); !slices.Equal(got, []string{"/documents", "/docs/api", "/docs", ""}) {
			t.Errorf("the sites of the host are at %q", got)
		}
		if got := w.paths("acme.tes_"); got != nil {
			t.Errorf("a name with a wildcard finds %q", got)
		}
		list, next, err := w.s.ListDomains(w.ctx, a.ID, store.Page{Limit: 1})
		for w.ok(err); next != ""; w.ok(err) { // cursors also work for names that contain a slash
			var more []project.Domain
			more, next, err = w.s.ListDomains(w.ctx, a.ID, store.Page{Limit: 1, Cursor: next})
			list = append(list, more...)
		}
		if len(list) != 6 {
			t.Errorf("%d domains are listed: %v", len(list), list)
		}
	}
}

// Two organizations prove different paths on the same host at the same time. Only one of them gets the host.
func testPathRace(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		of, names := []string{a.ID, b.ID}, []string{"acme.test/docs", "acme.test", "acme.test/api", "acme.test/x"}
		for i, name := range names {
			_, err := w.claim(of[i%2], name)
			w.ok(err)
		}
		replicas := []*store.Store{w.s, w.replica()}
		err := together(len(names), func(i int) error {
			return replicas[i%2].Tx(w.ctx, func(tx *store.Tx) error {
				_, _, err := tx.ProveDomain(w.ctx, of[i%2], names[i], project.ProofDNS)
				return err
			})
		})
		var refused interface{ Unwrap() []error }
		if !errors.As(err, &refused) || len(refused.Unwrap()) != 2 {
			t.Fatalf("not one winner: %v", err)
		}
		for _, e := range refused.Unwrap() {
			w.wantFault(e, fault.Conflict, "domain_taken")
		}
		list, err := w.s.ListLive(w.ctx, "acme.test")
		w.ok(err)
		if len(list) != 2 || list[0].OrganizationID != list[1].OrganizationID {
			t.Errorf("the host has the sites %+v", list)
		}
	}
}

func testPathGivenUp(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		docs, err := w.claim(a.ID, "acme.test/docs")
		w.ok(err)
		_, err = w.prove(a.ID, "acme.test/docs")
		w.ok(err)
		handbook, err := w.claim(a.ID, "acme.test/handbook")
		w.ok(err)
		w.remove(docs)
		if _, err := w.s.FindDomain(w.ctx, a.ID, "acme.test"); !fault.Is(err, fault.NotFound) {
			t.Errorf("a host with a held domain is also reserved (error %v)", err)
		}
		w.remove(handbook)
		w.wantDomain(a.ID, "acme.test", project.DomainReserved, project.ProofDNS)
		_, err = w.claim(b.ID, "acme.test/docs")
		w.wantFault(err, fault.Conflict, "domain_taken")
		docs, err = w.claim(a.ID, "acme.test/docs")
		w.ok(err)
		w.wantDomain(a.ID, "acme.test/docs", project.DomainHeld, project.ProofDNS)

		release := func(name string) (was project.Domain) {
			w.tx(func(tx *store.Tx) (err error) { was, err = tx.ReleaseDomain(w.ctx, name); return err })
			return was
		}
		_, err = w.claim(a.ID, "acme.test/handbook")
		w.ok(err)
		if was := release("acme.test"); was.OrganizationID != a.ID || was.State != project.DomainHeld {
			t.Errorf("released %+v", was)
		}
		w.wantDomain(a.ID, "acme.test/docs", project.DomainPending, project.ProofNone)
		w.wantDomain(a.ID, "acme.test/handbook", project.DomainPending, project.ProofNone)
		if got := w.paths("acme.test"); got != nil {
			t.Errorf("a released host is live at %q", got)
		}
		approve := func(organizationID, name string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.ApproveDomain(w.ctx, organizationID, name)
				return err
			})
		}
		w.ok(approve(b.ID, "acme.test/api")) // without a claim, the host is reserved
		w.wantDomain(b.ID, "acme.test", project.DomainReserved, project.ProofOperator)
		w.wantFault(approve(a.ID, "acme.test/docs"), fault.Conflict, "domain_taken")
		_, err = w.prove(a.ID, "acme.test/docs")
		w.wantFault(err, fault.Conflict, "domain_taken")
		release("acme.test/other") // a path stands for the whole host
		w.ok(approve(a.ID, "acme.test/docs"))
		w.wantDomain(a.ID, "acme.test/docs", project.DomainHeld, project.ProofOperator)
		if p, err := w.s.FindProjectByDomain(w.ctx, "acme.test/docs"); err != nil || p.ID != docs.ID {
			t.Errorf("the path belongs to %s (error %v)", p.ID, err)
		}
	}
}
