package dashboard_test

import (
	"context"
	"html"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/serve/certificate"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

// A pending domain's page shows the record to create; its button checks the record and reports what is missing, and the
// domain's state changes once the record exists.
func TestPendingDomainIsVerifiedFromItsPage(t *testing.T) {
	names := dns.Start(t, func(string) []netip.Addr { return nil })
	guard, err := outbound.NewGuard(nil)
	must(t, err)
	r := newRig(t, func(p *parts) { p.API.Prover = domainproof.New(guard.AskingAt(names.Addr())) })
	status, body := r.post("admin", "/dashboard/projects", values("name", "New docs", "domain", "docs.acme.test",
		"kind", "git", "source.repository", "https://github.com/team/docs.git"))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	c := project.NewChallenge(master, r.a.org.ID, "docs.acme.test")
	wants(t, html.UnescapeString(body), c.Record, c.Value, "http://docs.acme.test"+c.Path,
		"once the domain is verified")
	d, err := r.store.FindDomain(t.Context(), r.a.org.ID, "docs.acme.test")
	must(t, err)
	path := "/dashboard/projects/" + d.ProjectID
	wants(t, r.page("admin", path+"/settings"), c.Record, c.Value, "Check docs.acme.test now", `data-state="pending"`)
	status, body = r.post("admin", path+"/verify-domain", values("domain", "docs.acme.test"))
	if status != http.StatusConflict {
		t.Errorf("%d", status)
	}
	wants(t, html.UnescapeString(body), "was not found on the domain", "there is no TXT record", c.Value)
	if status, _ = r.post("editor", path+"/verify-domain",
		values("domain", "docs.acme.test")); status != http.StatusForbidden {
		t.Errorf("an editor got %d", status)
	}
	wantsNone(t, r.page("admin", "/dashboard/exports"), "docs.acme.test")
	names.SetTXT(c.Record, c.Value)
	if status, _ = r.post("admin", path+"/verify-domain",
		values("domain", "docs.acme.test")); status != http.StatusSeeOther {
		t.Errorf("%d", status)
	}
	page := r.page("admin", path+"/settings?did=domain-proven")
	wants(t, page, "The domain is verified", `data-state="held"`)
	wantsNone(t, page, c.Value)
	wants(t, r.page("admin", "/dashboard/exports"), "docs.acme.test")
}

// A domain's page shows where its name points, which record to create, and why there is no certificate.
func TestDomainPageShowsRecordAndCertificate(t *testing.T) {
	names := dns.Start(t, func(name string) []netip.Addr {
		if name == "lectern.acme.test" {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}
		}
		return nil
	})
	guard, err := outbound.NewGuard(nil)
	must(t, err)
	next := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	r := newRig(t, func(p *parts) {
		p.API.Prover, p.API.PublicURL = domainproof.New(guard.AskingAt(names.Addr())), "https://lectern.acme.test"
		p.API.Certificates = failedOrder{certificate.State{Origin: certificate.FromACME, Status: certificate.Failed,
			Reason: "NXDOMAIN looking up A", Next: &next}}
	})
	domain := r.a.project.Domains[0]
	path := "/dashboard/projects/" + r.a.project.ID
	wants(t, r.page("admin", path+"/settings"), `href="`+path+"/domain?name="+domain+`"`)
	page := r.page("viewer", path+"/domain?name="+domain)
	wants(t, page, `data-dns="missing"`, "CNAME", "<code>lectern.acme.test</code>", `data-certificate="failed"`,
		"NXDOMAIN looking up A", "2026-03-04T05:06:07Z")
	if status, _ := r.get("viewer", path+"/domain?name=other.example"); status != http.StatusNotFound {
		t.Errorf("a domain of others: %d", status)
	}
}

// The page of a domain with a path asks for no setup, because another server handles the host and its certificate.
func TestDomainPageOfASharedHostRequestsNoSetup(t *testing.T) {
	names := dns.Start(t, func(name string) []netip.Addr {
		if name == "lectern.acme.test" {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}
		}
		return []netip.Addr{netip.MustParseAddr("192.0.2.7")}
	})
	guard, err := outbound.NewGuard(nil)
	must(t, err)
	r := newRig(t, func(p *parts) {
		p.API.Prover, p.API.PublicURL = domainproof.New(guard.AskingAt(names.Addr())), "https://lectern.acme.test"
		p.API.Certificates = failedOrder{certificate.State{Origin: certificate.FromACME, Status: certificate.Failed,
			Reason: "NXDOMAIN looking up A"}}
	})
	path := "/dashboard/projects/" + r.a.project.ID
	status, body := r.post("admin", path+"/settings", values("name", "Docs", "domains", "www.acme.test/docs", "kind", "git",
		"source.repository", "https://github.com/team/docs.git"))
	if status != http.StatusSeeOther {
		t.Fatalf("%d %s", status, body)
	}
	page := r.page("viewer", path+"/domain?name=www.acme.test%2Fdocs")
	wants(t, page, "Another server has this host and passes requests below /docs on to this one.", "has its certificate",
		"/v1/domains/www.acme.test%2Fdocs/certificate")
	wantsNone(t, page, "NXDOMAIN", "CNAME", "data-certificate")
}

// failedOrder returns the state of a certificate that could not be ordered.
type failedOrder struct{ state certificate.State }

func (f failedOrder) State(context.Context, string) (certificate.State, error) { return f.state, nil }
