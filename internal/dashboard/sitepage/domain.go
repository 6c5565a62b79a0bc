package sitepage

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// domainPage is the state of one domain of a project: its DNS name and its TLS certificate. It is a separate page
// because it makes DNS queries.
type domainPage struct {
	Project client.Project
	Tabs    []shell.Tab
	client.DomainCertificate
	Leads string // describes where the name points
	Below string // path of the domain if another server serves its host; "" = this server serves the host
	Call  string // path of the API operation
}

// leads describes where a domain's name points.
var leads = map[client.DomainTarget]string{
	"here":      "The name leads to this server.",
	"elsewhere": "The name leads to other addresses. That is right only if a proxy or CDN there passes requests on to this server.",
	"missing":   "The name leads nowhere: it has no DNS record yet.",
	"unknown":   "This server cannot tell where the name leads: its public address is not set, or it may not query the DNS.",
}

func showDomain(b *shell.Board, v *shell.Visit) error {
	p, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return err
	}
	name := cmp.Or(v.R.URL.Query().Get("name"), p.Domains[0])
	if !slices.Contains(p.Domains, name) {
		return fault.New(fault.NotFound, "unknown_domain", "The project does not have this domain.")
	}
	c, err := v.API.GetDomainCertificate(v.Ctx(), name)
	if err != nil {
		return err
	}
	data := domainPage{Project: *p, Tabs: shell.ProjectTabs(v, p.ProjectID, "Settings"), DomainCertificate: *c,
		Leads: leads[c.DNS.Target], Call: "/v1/domains/" + url.PathEscape(name) + "/certificate"}
	if _, path, ok := strings.Cut(name, "/"); ok && c.DNS.Target != "here" {
		data.Below = "/" + path
		if c.DNS.Target != "missing" {
			data.Leads = "Another server has this host and passes requests below " + data.Below + " on to this one."
		}
	}
	return v.Show(http.StatusOK, "domain", shell.Frame{Title: "Domain " + name, Section: "projects",
		Crumbs: shell.ProjectCrumbs(p.Name, p.ProjectID)}, data)
}
