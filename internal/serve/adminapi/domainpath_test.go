package adminapi_test

import (
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
)

// A domain with a path is proven through its host name, which then belongs to the organization with all its paths.
func TestDomainWithPathIsProvenByHost(t *testing.T) {
	w, a := newWorldOf(t, account.PlanEnterprise, nil)
	b := w.newTenant(t, "b", account.PlanEnterprise)
	docs := read[client.Project](t, w.do(t, newProject(a.key, "Acme.test/docs/")).want(t, 201))
	if docs.Domain != "acme.test/docs" {
		t.Errorf("%+v", docs)
	}
	handbook := read[client.Project](t, w.do(t, newProject(a.key, "acme.test/handbook")).want(t, 201))
	theirs := read[client.Project](t, w.do(t, newProject(b.key, "acme.test/docs")).want(t, 201))
	c := docs.DomainStates[0].Challenge
	if c == nil || c.DNS.Name != "_lectern-challenge.acme.test" || handbook.DomainStates[0].Challenge.DNS != c.DNS ||
		theirs.DomainStates[0].Challenge.DNS.Value == c.DNS.Value || c.File.URL[:29] != "http://acme.test/.well-known/" {
		t.Fatalf("%+v", c)
	}
	if got := w.do(t, verify(a.key, "acme.test%2Fdocs")).want(t, 409); got.code(t) != "domain_not_proven" {
		t.Errorf("%s", got.body)
	}
	w.names.SetTXT(c.DNS.Name, c.DNS.Value)
	if d := read[client.Domain](t, w.do(t, verify(a.key, "ACME.test%2Fdocs")).want(t, 200)); d.State != "held" || d.Domain != "acme.test/docs" {
		t.Errorf("%+v", d)
	}
	w.names.SetTXT(c.DNS.Name) // the host is proven
	w.do(t, verify(a.key, "acme.test%2Fhandbook")).want(t, 200)
	w.names.SetTXT(c.DNS.Name, theirs.DomainStates[0].Challenge.DNS.Value)
	if got := w.do(t, verify(b.key, "acme.test%2Fdocs")).want(t, 409); got.code(t) != "domain_taken" {
		t.Errorf("%s", got.body)
	}
	for _, domain := range []string{"acme.test", "acme.test/other", "acme.test/docs/api"} {
		if got := w.do(t, newProject(b.key, domain)).want(t, 409); got.code(t) != "domain_taken" {
			t.Errorf("%s: %s", domain, got.body)
		}
	}
	w.do(t, newProject(a.key, "acme.test")).want(t, 201)
	for domain, code := range map[string]string{"acme.test/Docs": "invalid_field", "acme.test//docs": "invalid_field",
		"acme.test/a%2fb": "invalid_field", "acme.test/../x": "invalid_field", "acme.test/a/b/c/d": "invalid_field",
		"acme.test/docs/login": "reserved_domain"} {
		got := w.do(t, newProject(a.key, domain)).want(t, 400)
		if details := got.object(t)["details"].([]any); got.code(t) != code || details[0].(map[string]any)["field"] != "domain" {
			t.Errorf("%s: %s", domain, got.body)
		}
	}
}

// Links on pages begin with the path, so a change of the path republishes the site; other changes do not.
func TestPathChangeRepublishesSite(t *testing.T) {
	built := ""
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) {
		o.BasePath = func(context.Context, string) (string, error) { return built, nil }
	})
	deployments := func() (n int) {
		list := read[client.DeploymentList](t,
			w.do(t, ask{http.MethodGet, "/v1/projects/" + x.project.ID + "/deployments?limit=100", x.key, "", nil}).want(t, 200))
		return len(list.Deployments)
	}
	change := func(domains string) {
		t.Helper()
		w.do(t, ask{http.MethodPatch, "/v1/projects/" + x.project.ID, x.key, `{"domains":[` + domains + `]}`, nil}).want(t, 200)
	}
	n := deployments()
	for _, step := range []struct {
		domains string
		more    int
	}{{`"new.a.example"`, 0}, {`"new.a.example","a.example/docs"`, 0}, {`"a.example/docs"`, 1}, {`"b.a.example/docs"`, 0}} {
		change(step.domains)
		if got := deployments(); got != n+step.more {
			t.Errorf("%s: %d deployments, want %d", step.domains, got, n+step.more)
		}
		n = deployments()
	}
	back := ask{"POST", "/v1/project/rollback/" + x.project.ID, x.key, `{"deploymentId":"` + x.earlier.ID + `"}`, nil}
	if got := w.do(t, back).want(t, 409); got.code(t) != "wrong_state" {
		t.Errorf("%s", got.body)
	}
	built = "/docs"
	w.do(t, back).want(t, 200)
}

// If a site is below a path of a host, another server has the host's certificate, unless the DNS name points to this
// server.
func TestDomainWithPathUsesOtherServersCertificate(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) {
		files, err := certificate.NewFiles([]certificate.Pair{certificateFile(t, "other.example", o.Now().Add(time.Hour))}, o.Now,
			slog.New(slog.DiscardHandler))
		must(t, err)
		o.Certificates, o.PublicURL = files, "https://lectern.example"
	})
	w.do(t, newProject(x.key, "www.acme.test/docs")).want(t, 201)
	got := read[client.DomainCertificate](t,
		w.do(t, ask{http.MethodGet, "/v1/domains/www.acme.test%2Fdocs/certificate", x.key, "", nil}).want(t, 200))
	if got.Domain != "www.acme.test/docs" || got.Origin != "proxy" || got.State != "none" || got.LastError != nil || len(got.DNS.Records) > 0 {
		t.Errorf("%+v", got)
	}
}
