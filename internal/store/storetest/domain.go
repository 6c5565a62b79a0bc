package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

func testDomain(t *testing.T, database func(*testing.T) string) {
	t.Run("belongs to one project of one organization", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		w.project(a.ID, "docs.example.com")
		theirs := w.project(b.ID, "docs.example.org")
		claim := func(tx *store.Tx) error {
			_, err := tx.CreateProject(w.ctx, project.Project{OrganizationID: b.ID, Name: "x",
				Domains: []string{"free.example.org", "docs.example.com"}})
			return err
		}
		w.wantFault(w.s.Tx(w.ctx, claim), fault.Conflict, "domain_taken")
		if n := w.count(`SELECT count(*) FROM projects`); n != 2 {
			t.Errorf("%d projects, want 2: a refused one stayed", n)
		}
		theirs.Domains = []string{"docs.example.org", "docs.example.com"}
		w.wantFault(w.s.Tx(w.ctx, func(tx *store.Tx) error {
			_, err := tx.UpdateProject(w.ctx, theirs)
			return err
		}), fault.Conflict, "domain_taken")
		if p, err := w.s.FindProjectByDomain(w.ctx, "docs.example.com"); err != nil || p.OrganizationID != a.ID {
			t.Errorf("the domain went to %s (error %v)", p.OrganizationID, err)
		}
		if p, err := w.s.FindProjectByID(w.ctx, theirs.ID); err != nil ||
			!reflect.DeepEqual(p.Domains, []string{"docs.example.org"}) {
			t.Errorf("a refused change left domains %v (error %v)", p.Domains, err)
		}
	})
	t.Run("concurrent claims have one winner", func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		const claims = 12
		err := together(claims, func(i int) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.CreateProject(w.ctx, project.Project{OrganizationID: []string{a.ID, b.ID}[i%2], Name: "x",
					Domains: []string{"docs.example.com"}})
				return err
			})
		})
		var refused interface{ Unwrap() []error }
		if !errors.As(err, &refused) || len(refused.Unwrap()) != claims-1 ||
			w.count(`SELECT count(*) FROM projects`) != 1 {
			t.Fatalf("not one winner: %v", err)
		}
		for _, e := range refused.Unwrap() {
			w.wantFault(e, fault.Conflict, "domain_taken")
		}
	})
	t.Run("needs a proof if there are several organizations", testDomainPending(database))
	t.Run("concurrent proofs have one winner", testDomainRace(database))
	t.Run("remains reserved after its project gave it up", testDomainReserved(database))
	t.Run("reserves the names below it", testDomainParents(database))
	t.Run("is approved and released by the operator", testDomainOperator(database))
	t.Run("appears once in a paged list", testDomainPages(database))
}

// claim stores a project that belongs to an organization and claims a domain.
func (w *world) claim(organizationID, domain string) (project.Project, error) {
	var p project.Project
	err := w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		p, err = tx.CreateProject(w.ctx,
			project.Project{OrganizationID: organizationID, Name: "x", Domains: []string{domain}})
		return err
	})
	return p, err
}

func (w *world) prove(organizationID, domain string) (project.Domain, error) {
	var d project.Domain
	err := w.s.Tx(w.ctx, func(tx *store.Tx) (err error) {
		d, _, err = tx.ProveDomain(w.ctx, organizationID, domain, project.ProofDNS)
		return err
	})
	return d, err
}

func (w *world) remove(p project.Project) {
	w.t.Helper()
	w.tx(func(tx *store.Tx) error { return tx.DeleteProject(w.ctx, p.OrganizationID, p.ID) })
}

// wantDomain checks the state of an organization's claim on a domain.
func (w *world) wantDomain(organizationID, domain string, state project.DomainState, proof project.DomainProof) {
	w.t.Helper()
	if d, err := w.s.FindDomain(w.ctx, organizationID, domain); err != nil || d.State != state || d.Proof != proof {
		w.t.Errorf("%s of %s is %+v (error %v), want %s %s", domain, organizationID, d, err, state, proof)
	}
}

func testDomainPending(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a := w.organization("a")
		alone := w.project(a.ID, "first.acme.test")
		w.wantDomain(a.ID, "first.acme.test", project.DomainHeld, project.ProofOnly)
		b := w.organization("b")
		ours, err := w.claim(a.ID, "docs.other.test")
		w.ok(err)
		theirs, err := w.claim(b.ID, "docs.other.test")
		w.ok(err)
		if !reflect.DeepEqual(ours.Domains, theirs.Domains) {
			t.Errorf("the projects have %v and %v", ours.Domains, theirs.Domains)
		}
		for _, o := range []string{a.ID, b.ID} {
			w.wantDomain(o, "docs.other.test", project.DomainPending, project.ProofNone)
		}
		_, live := w.s.FindLive(w.ctx, "docs.other.test")
		_, byDomain := w.s.FindProjectByDomain(w.ctx, "docs.other.test")
		w.wantFault(live, fault.NotFound, "unknown_domain")
		w.wantFault(byDomain, fault.NotFound, "unknown_project")
		if found, err := w.s.FindProject(w.ctx, b.ID, theirs.ID); err != nil ||
			!reflect.DeepEqual(found.Domains, []string{"docs.other.test"}) {
			t.Errorf("%+v (error %v)", found, err)
		}
		_, err = w.claim(a.ID, "docs.other.test") // another project in the same organization
		w.wantFault(err, fault.Conflict, "domain_taken")

		d, err := w.prove(b.ID, "docs.other.test")
		if err != nil || d.State != project.DomainHeld || d.Proof != project.ProofDNS || d.ProjectID != theirs.ID {
			t.Errorf("%+v (error %v)", d, err)
		}
		if p, err := w.s.FindProjectByDomain(w.ctx, "docs.other.test"); err != nil || p.ID != theirs.ID {
			t.Errorf("the domain went to %+v (error %v)", p, err)
		}
		_, late := w.prove(a.ID, "docs.other.test")
		w.wantFault(late, fault.Conflict, "domain_taken")
		w.wantDomain(a.ID, "docs.other.test", project.DomainPending, project.ProofNone)
		if again, err := w.prove(b.ID, "docs.other.test"); err != nil || !reflect.DeepEqual(again, d) {
			t.Errorf("proven again: %+v (error %v)", again, err)
		}
		_, foreign := w.prove(b.ID, "first.acme.test")
		_, unknown := w.prove(b.ID, "nobody.acme.test")
		if w.wantFault(foreign, fault.NotFound, "unknown_domain"); !reflect.DeepEqual(foreign, unknown) {
			t.Errorf("error for another organization's domain: %v, for a missing one: %v", foreign, unknown)
		}
		// Changing the project keeps its held and pending domains, in the new order.
		alone.Domains = []string{"new.other2.test", "first.acme.test"}
		w.tx(func(tx *store.Tx) error { _, err := tx.UpdateProject(w.ctx, alone); return err })
		w.wantDomain(a.ID, "first.acme.test", project.DomainHeld, project.ProofOnly)
		if found, err := w.s.FindProject(w.ctx, a.ID, alone.ID); err != nil ||
			!reflect.DeepEqual(found.Domains, alone.Domains) {
			t.Errorf("%+v (error %v)", found, err)
		}
	}
}

// Two organizations, each with several servers, prove the same domain at the same time.
func testDomainRace(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		for _, o := range []string{a.ID, b.ID} {
			_, err := w.claim(o, "docs.acme.test")
			w.ok(err)
		}
		replicas := []*store.Store{w.s, w.replica()}
		const tries = 16
		won, made := make([]bool, tries), atomic.Int64{}
		err := together(tries, func(i int) error {
			return replicas[i/2%2].Tx(w.ctx, func(tx *store.Tx) error {
				d, changed, err := tx.ProveDomain(w.ctx, []string{a.ID, b.ID}[i%2], "docs.acme.test", project.ProofDNS)
				won[i] = err == nil && d.State == project.DomainHeld
				if changed {
					made.Add(1)
				}
				return err
			})
		})
		var refused interface{ Unwrap() []error }
		if !errors.As(err, &refused) || len(refused.Unwrap()) != tries/2 || made.Load() != 1 {
			t.Fatalf("not one winner, %d changes: %v", made.Load(), err)
		}
		for _, e := range refused.Unwrap() {
			w.wantFault(e, fault.Conflict, "domain_taken")
		}
		for i := range won {
			if won[i] != won[i%2] {
				t.Errorf("both organizations won: %v", won)
			}
		}
	}
}

func testDomainReserved(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a := w.organization("a")
		p := w.project(a.ID, "docs.acme.test", "alt.acme.test")
		b := w.organization("b")
		p.Domains = []string{"docs.acme.test"}
		w.tx(func(tx *store.Tx) error { _, err := tx.UpdateProject(w.ctx, p); return err })
		w.remove(p)
		for _, name := range []string{"docs.acme.test", "alt.acme.test", "below.docs.acme.test"} {
			_, err := w.claim(b.ID, name)
			w.wantFault(err, fault.Conflict, "domain_taken")
		}
		w.wantDomain(a.ID, "alt.acme.test", project.DomainReserved, project.ProofOnly)
		again, err := w.claim(a.ID, "docs.acme.test") // the organization gets its domain back at once
		w.ok(err)
		w.wantDomain(a.ID, "docs.acme.test", project.DomainHeld, project.ProofOnly)
		w.remove(again)
		w.clock.advance(project.DefaultReserve - time.Second)
		_, err = w.claim(b.ID, "docs.acme.test")
		w.wantFault(err, fault.Conflict, "domain_taken")
		w.clock.advance(time.Second)
		_, err = w.claim(b.ID, "docs.acme.test")
		w.ok(err)
		w.wantDomain(b.ID, "docs.acme.test", project.DomainPending, project.ProofNone)
		if _, err := w.s.FindDomain(w.ctx, a.ID, "docs.acme.test"); !fault.Is(err, fault.NotFound) {
			t.Errorf("an ended reservation is still shown (error %v)", err)
		}
		// An organization keeps only a limited number of names reserved, the newest ones.
		for i := range 130 {
			w.clock.advance(time.Second)
			taken, err := w.claim(b.ID, fmt.Sprintf("n%d.example.org", i))
			w.ok(err)
			w.remove(taken)
		}
		kept := 0
		for i := range 130 {
			if d, err := w.s.FindDomain(w.ctx, b.ID, fmt.Sprintf("n%d.example.org", i)); err == nil &&
				d.State == project.DomainReserved {
				kept++
			} else if i >= 30 {
				t.Errorf("n%d.example.org is not reserved (error %v)", i, err)
			}
		}
		if kept != 100 {
			t.Errorf("%d names stay reserved", kept)
		}
		// A claim that was never proven reserves nothing.
		c, err := w.claim(a.ID, "docs.other.test")
		w.ok(err)
		w.remove(c)
		_, err = w.claim(b.ID, "docs.other.test")
		w.ok(err)
	}
}

func testDomainParents(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		_, err := w.claim(a.ID, "acme.test")
		w.ok(err)
		early, err := w.claim(b.ID, "early.acme.test") // the parent has not been proven yet
		w.ok(err)
		_, err = w.claim(b.ID, "late.acme.test")
		w.ok(err)
		_, err = w.prove(b.ID, "early.acme.test")
		w.ok(err)
		_, err = w.prove(a.ID, "acme.test")
		w.ok(err)
		_, late := w.prove(b.ID, "late.acme.test")
		w.wantFault(late, fault.Conflict, "domain_taken")
		for _, name := range []string{"docs.acme.test", "deep.docs.acme.test"} {
			_, err := w.claim(b.ID, name)
			w.wantFault(err, fault.Conflict, "domain_taken")
		}
		_, err = w.claim(a.ID, "docs.acme.test")
		w.ok(err)
		w.wantDomain(a.ID, "docs.acme.test", project.DomainHeld, project.ProofParent)
		// A claim is not taken away from another project in the same organization, because that project would be left
		// without a domain.
		waiting, err := w.claim(a.ID, "docs.other.test")
		w.ok(err)
		_, err = w.claim(a.ID, "other.test")
		w.ok(err)
		_, err = w.prove(a.ID, "other.test")
		w.ok(err)
		_, err = w.claim(a.ID, "docs.other.test")
		w.wantFault(err, fault.Conflict, "domain_taken")
		if p, err := w.s.FindProject(w.ctx, a.ID, waiting.ID); err != nil || len(p.Domains) != 1 {
			t.Errorf("the project that waits: %+v (error %v)", p, err)
		}
		// The holder of the parent does not get domains that were already held, or names below them.
		if p, err := w.s.FindProjectByDomain(w.ctx, "early.acme.test"); err != nil || p.ID != early.ID {
			t.Errorf("the sub-domain went to %+v (error %v)", p, err)
		}
		_, err = w.claim(a.ID, "x.early.acme.test")
		w.wantFault(err, fault.Conflict, "domain_taken")
		// A public suffix reserves nothing, even if it is proven.
		for _, suffix := range []string{"co.uk", "github.io"} {
			_, err = w.claim(a.ID, suffix)
			w.ok(err)
			_, err = w.prove(a.ID, suffix)
			w.ok(err)
			_, err = w.claim(b.ID, "team."+suffix)
			w.ok(err)
			_, err = w.claim(a.ID, "mine."+suffix)
			w.ok(err)
			w.wantDomain(a.ID, "mine."+suffix, project.DomainPending, project.ProofNone)
		}
	}
}

func testDomainOperator(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		approve := func(organizationID, name string) error {
			return w.s.Tx(w.ctx, func(tx *store.Tx) error {
				_, err := tx.ApproveDomain(w.ctx, organizationID, name)
				return err
			})
		}
		release := func(name string) (d project.Domain, err error) {
			err = w.s.Tx(w.ctx, func(tx *store.Tx) (err error) { d, err = tx.ReleaseDomain(w.ctx, name); return err })
			return d, err
		}
		p, err := w.claim(a.ID, "acme.test")
		w.ok(err)
		w.ok(approve(a.ID, "acme.test"))
		w.wantDomain(a.ID, "acme.test", project.DomainHeld, project.ProofOperator)
		w.wantFault(approve(b.ID, "acme.test"), fault.Conflict, "domain_taken")
		w.wantFault(approve(a.ID, "acme.test"), fault.Conflict, "domain_taken")

		w.ok(approve(b.ID, "docs.acme.test")) // below a domain of another organization, before any project exists
		w.wantDomain(b.ID, "docs.acme.test", project.DomainReserved, project.ProofOperator)
		_, err = w.claim(a.ID, "docs.acme.test")
		w.wantFault(err, fault.Conflict, "domain_taken")
		_, err = w.claim(b.ID, "docs.acme.test")
		w.ok(err)
		w.wantDomain(b.ID, "docs.acme.test", project.DomainHeld, project.ProofOperator)

		if d, err := release("acme.test"); err != nil || d.State != project.DomainHeld || d.OrganizationID != a.ID {
			t.Errorf("released %+v (error %v)", d, err)
		}
		w.wantDomain(a.ID, "acme.test", project.DomainPending, project.ProofNone)
		if found, err := w.s.FindProject(w.ctx, a.ID, p.ID); err != nil ||
			!reflect.DeepEqual(found.Domains, []string{"acme.test"}) {
			t.Errorf("%+v (error %v)", found, err)
		}
		w.remove(p)
		_, err = release("acme.test") // a pending claim reserves nothing
		w.wantFault(err, fault.NotFound, "unknown_domain")
		w.ok(approve(b.ID, "acme.test"))
		if d, err := release("acme.test"); err != nil || d.State != project.DomainReserved {
			t.Errorf("released %+v (error %v)", d, err)
		}
		if all, err := w.s.ListAllDomains(w.ctx); err != nil || len(all) != 1 || all[0].Name != "docs.acme.test" {
			t.Errorf("all domains: %+v (error %v)", all, err)
		}
	}
}

func testDomainPages(database func(*testing.T) string) func(*testing.T) {
	return func(t *testing.T) {
		w := newWorld(t, database)
		a, b := w.organization("a"), w.organization("b")
		p := w.project(a.ID, "a-1.example.com", "b.2.example.com", "docs.acme.test", "left.example.org")
		w.project(b.ID, "theirs.example.com")
		p.Domains = p.Domains[:3]
		w.clock.advance(time.Minute)
		w.tx(func(tx *store.Tx) error { _, err := tx.UpdateProject(w.ctx, p); return err })
		states := map[string]project.DomainState{}
		for page := (store.Page{Limit: 1}); ; {
			list, next, err := w.s.ListDomains(w.ctx, a.ID, page)
			w.ok(err)
			for _, d := range list {
				if states[d.Name] != "" {
					t.Errorf("%s is listed twice", d.Name)
				}
				states[d.Name] = d.State
			}
			if page.Cursor = next; next == "" {
				break
			}
		}
		want := map[string]project.DomainState{"a-1.example.com": "held", "b.2.example.com": "held",
			"docs.acme.test": "pending", "left.example.org": "reserved"}
		if !reflect.DeepEqual(states, want) {
			t.Errorf("%v, want %v", states, want)
		}
	}
}
