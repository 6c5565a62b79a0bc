package dashboard_test

import (
	"html"
	"net/http"
	"net/netip"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/domainproof"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/testkit/testserver/dns"
)

// A pending domain's page shows the record to set; the button checks it, says what is missing, and the state changes
// once it is there.
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
