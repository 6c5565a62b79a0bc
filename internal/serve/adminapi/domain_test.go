package adminapi_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// domainBody is a domain as the API shows it.
type domainBody struct {
	Domain    string  `json:"domain"`
	State     string  `json:"state"`
	ProjectID *string `json:"projectId"`
	Proof     *string `json:"proof"`
	Until     *string `json:"reservedUntil"`
	Challenge *struct {
		DNS  struct{ Name, Type, Value string }
		File struct{ URL, Content string }
	} `json:"challenge"`
}

type projectBody struct {
	ProjectID    string       `json:"projectId"`
	Domains      []string     `json:"domains"`
	DomainStates []domainBody `json:"domainStates"`
}

func newProject(key, domain string) ask {
	return ask{http.MethodPost, "/v1/projects", key,
		`{"name":"New","domain":"` + domain + `","source":{"repository":"https://git.example.com/a/b.git"}}`, nil}
}

func verify(key, domain string) ask {
	return ask{http.MethodPost, "/v1/domains/" + domain + "/verify", key, "", nil}
}

// The first organization to verify a domain gets it. Until then the domain serves nothing, and anyone can claim it.
func TestDomainIsServedOnceVerified(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	b := w.newTenant(t, "b", account.PlanEnterprise)
	const domain = "docs.acme.test"
	mine := read[projectBody](t, w.do(t, newProject(a.key, "Docs.Acme.Test.")).want(t, 201))
	other := read[projectBody](t, w.do(t, newProject(b.key, domain)).want(t, 201))
	for _, p := range []projectBody{mine, other} {
		d := p.DomainStates[0]
		if !slices.Equal(p.Domains, []string{domain}) || len(p.DomainStates) != 1 || d.State != "pending" ||
			d.Proof != nil || d.Challenge == nil ||
			d.Challenge.DNS.Name != "_lectern-challenge."+domain || d.Challenge.DNS.Type != "TXT" ||
			d.Challenge.File.Content != d.Challenge.DNS.Value {
			t.Errorf("%+v", p)
		}
	}
	if mine.DomainStates[0].Challenge.DNS.Value == other.DomainStates[0].Challenge.DNS.Value {
		t.Fatal("both organizations have the same challenge")
	}
	if _, err := w.store.FindLive(t.Context(), domain); err == nil {
		t.Error("a pending domain is served")
	}
	start := ask{http.MethodPost, "/v1/static-export/jobs", a.key, `{"domain":"` + domain + `"}`, nil}
	pending := w.do(t, start).want(t, 404)
	start.body = `{"domain":"docs.nobody.test"}`
	if unknown := w.do(t, start).want(t, 404); pending.code(t) != "unknown_domain" ||
		pending.alike(t) != unknown.alike(t) {
		t.Errorf("%s\n%s", pending.body, unknown.body)
	}
	for _, key := range []string{a.key, b.key} {
		if got := w.do(t, verify(key, domain)).want(t, 409); got.code(t) != "domain_not_proven" {
			t.Errorf("%s", got.body)
		}
	}
	w.names.SetTXT("_lectern-challenge."+domain, mine.DomainStates[0].Challenge.DNS.Value)
	if got := w.do(t, verify(b.key, domain)).want(t, 409); got.code(t) != "domain_not_proven" {
		t.Errorf("the other organization proved the domain with a foreign record: %s", got.body)
	}
	for range 2 {
		d := read[domainBody](t, w.do(t, verify(a.key, "DOCS.acme.test")).want(t, 200))
		if d.State != "held" || d.Proof == nil || *d.Proof != "dns" || d.Challenge != nil || d.ProjectID == nil ||
			*d.ProjectID != mine.ProjectID {
			t.Errorf("%+v", d)
		}
	}
	if live, err := w.store.FindLive(t.Context(), domain); err != nil || live.ProjectID != mine.ProjectID {
		t.Errorf("%+v %v", live, err)
	}
	// The second proof is too late, and does not undo the first one.
	w.names.SetTXT("_lectern-challenge."+domain, other.DomainStates[0].Challenge.DNS.Value)
	if got := w.do(t, verify(b.key, domain)).want(t, 409); got.code(t) != "domain_taken" {
		t.Errorf("%s", got.body)
	}
	w.do(t, verify(a.key, domain)).want(t, 200)
	proven := 0
	events, err := w.store.ListEvents(t.Context(), a.org.ID, 0, 1000)
	must(t, err)
	for _, e := range events {
		if e.Action == "domain.prove" && e.Target == domain {
			proven++
		}
	}
	if proven != 1 {
		t.Errorf("%d audit records of the proof", proven)
	}
}

// After a project is deleted, another organization cannot claim its domain or names below it; the response is the same
// as for any taken name. The same organization can use the domain again at once.
func TestDomainOfDeletedProjectIsReserved(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	b := w.newTenant(t, "b", account.PlanEnterprise)
	domain := a.project.Domains[0] // docs.a.example
	held := w.do(t, newProject(b.key, domain)).want(t, 409)
	below := w.do(t, newProject(b.key, "sub."+domain)).want(t, 409)
	w.do(t, ask{http.MethodDelete, "/v1/projects/" + a.project.ID, a.key, "", nil}).want(t, 204)
	after := w.do(t, newProject(b.key, domain)).want(t, 409)
	if held.code(t) != "domain_taken" || held.alike(t) != after.alike(t) || below.code(t) != "domain_taken" {
		t.Errorf("%s\n%s\n%s", held.body, after.body, below.body)
	}
	if got := w.do(t, newProject(b.key, "sub."+domain)).want(t, 409); got.alike(t) != below.alike(t) {
		t.Errorf("%s\n%s", got.body, below.body)
	}
	change := ask{http.MethodPatch, "/v1/projects/" + b.project.ID, b.key,
		fmt.Sprintf(`{"domains":[%q,%q]}`, b.project.Domains[0], domain), nil}
	w.do(t, change).want(t, 409)
	list := read[struct{ Domains []domainBody }](t, w.do(t, ask{"GET", "/v1/domains", a.key, "", nil}).want(t, 200))
	i := slices.IndexFunc(list.Domains, func(d domainBody) bool { return d.Domain == domain })
	if i < 0 || list.Domains[i].State != "reserved" || list.Domains[i].Until == nil ||
		list.Domains[i].ProjectID != nil {
		t.Errorf("%+v", list.Domains)
	}
	if d := read[domainBody](t, w.do(t, verify(a.key, domain)).want(t, 200)); d.State != "reserved" {
		t.Errorf("%+v", d)
	}
	if p := read[projectBody](t, w.do(t, newProject(a.key, domain)).want(t, 201)); p.DomainStates[0].State != "held" {
		t.Errorf("%+v", p)
	}
	w.do(t, verify(b.key, domain)).want(t, 404)
	w.do(t, ask{"GET", "/v1/domains?cursor=nonsense", a.key, "", nil}).want(t, 400)
}

// A server with one organization requires no proof.
func TestSingleOrganizationNeedsNoDomainVerification(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	p := read[projectBody](t, w.do(t, newProject(a.key, "docs.acme.test")).want(t, 201))
	if d := p.DomainStates[0]; d.State != "held" || d.Proof == nil || *d.Proof != "only" {
		t.Errorf("%+v", p)
	}
}

// When two organizations with valid records prove a domain at the same time, one wins and its site is served, every
// time.
func TestOneOrganizationWinsRaceForDomain(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	b := w.newTenant(t, "b", account.PlanEnterprise)
	for i := range 5 {
		domain := fmt.Sprintf("docs.acme%d.test", i)
		var values []string
		for _, x := range []tenant{a, b} {
			w.do(t, newProject(x.key, domain)).want(t, 201)
			values = append(values, project.NewChallenge(master, x.org.ID, domain).Value)
		}
		w.names.SetTXT("_lectern-challenge."+domain, values...)
		var all sync.WaitGroup
		got := make([]reply, 8)
		for k := range got {
			all.Go(func() { got[k] = w.do(t, verify([]string{a.key, b.key}[k%2], domain)) })
		}
		all.Wait()
		d, err := w.store.FindProjectByDomain(t.Context(), domain)
		must(t, err)
		for k, r := range got {
			want := 409
			if d.OrganizationID == []string{a.org.ID, b.org.ID}[k%2] {
				want = 200
			}
			if r.status != want {
				t.Errorf("%s: attempt %d: %d %s", domain, k, r.status, r.body)
			}
		}
	}
}

// Checks are limited, since each sends requests to hosts named by the caller; on a server without a prover, the error
// says who decides.
func TestDomainChecksAreRateLimited(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	w.newTenant(t, "b", account.PlanEnterprise)
	w.do(t, newProject(a.key, "docs.acme.test")).want(t, 201)
	for range 120 {
		w.do(t, verify(a.key, "docs.acme.test")).want(t, 409)
	}
	w.do(t, verify(a.key, "docs.acme.test")).want(t, 429)
	none := newWorld(t, func(o *adminapi.Options) { o.Prover = nil })
	a = none.newTenant(t, "a", account.PlanEnterprise)
	none.newTenant(t, "b", account.PlanEnterprise)
	none.do(t, newProject(a.key, "docs.acme.test")).want(t, 201)
	if got := none.do(t, verify(a.key, "docs.acme.test")).want(t, 409); got.code(t) != "domain_not_proven" {
		t.Errorf("%s", got.body)
	}
}

// The server's own names cannot be claimed, nor verified if they became its own later.
func TestServerNamesCannotBeClaimed(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.PublicURL = "https://Lectern.Example" })
	w.newTenant(t, "b", account.PlanEnterprise)
	for _, domain := range []string{"lectern.example", "LECTERN.example.", "preview.localhost", "x.preview.localhost",
		"dep-x.PREVIEW.localhost."} {
		if got := w.do(t, newProject(a.key, domain)).want(t, 400); got.code(t) != "reserved_domain" {
			t.Errorf("%s: %s", domain, got.body)
		}
	}
	p := a.project
	p.Domains = []string{"old.preview.localhost"}
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) error { // as stored by a server with another preview domain
		_, err := tx.UpdateProject(t.Context(), p)
		return err
	}))
	w.do(t, verify(a.key, "old.preview.localhost")).want(t, 400)
	for _, domain := range []string{"*.acme.test", "127.0.0.1", "nobody.acme.test", "x"} {
		w.do(t, verify(a.key, domain)).want(t, 404)
	}
	if _, err := w.store.FindDomain(t.Context(), a.org.ID, "nobody.acme.test"); errors.Is(err, nil) {
		t.Error("a check created a claim")
	}
}
