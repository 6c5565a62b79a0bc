package notify

import (
	"context"
	"fmt"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
	"github.com/lectern-docs/lectern/internal/jobs/deadlink"
	"github.com/lectern-docs/lectern/internal/store"
)

// failingFor is how long a site's updates must fail before its owners are informed. Mistakes that are fixed on the same
// day are left to the authors.
const failingFor = 24 * time.Hour

// maxReason is the maximum number of characters quoted from an error.
const maxReason = 300

// Builds finds sites whose updates have been failing for a day.
func Builds(st *store.Store, now func() time.Time) Rule {
	return Rule{Name: "build", Find: func(ctx context.Context) ([]Finding, error) {
		list, err := st.ListFailingProjects(ctx, now().Add(-failingFor))
		var out []Finding
		for _, p := range list {
			name := mail.ShowName(p.Name)
			out = append(out, Finding{OrganizationID: p.OrganizationID, Subject: p.ID, Notice: mail.Notice{
				Title: "Updates of " + name + " are failing",
				Paragraphs: []string{fmt.Sprintf("No update of the site “%s” has succeeded since %s. Readers see the last version that did.",
					name, p.Since.UTC().Format("2 January 2006, 15:04 MST")),
					"The last error: " + clip.Runes(mail.OneLine(p.Error), maxReason)},
				Label: "Show the project", Path: "/dashboard/projects/" + p.ID}})
		}
		return out, err
	}}
}

// Endpoints finds webhook endpoints that the server turned off.
func Endpoints(st *store.Store) Rule {
	return Rule{Name: "webhook", Find: func(ctx context.Context) ([]Finding, error) {
		list, err := st.ListEndpointsOff(ctx)
		var out []Finding
		for _, e := range list {
			why := "No delivery has succeeded for five days, so it gets no more events."
			if e.OffReason == endpoint.Gone {
				why = "The receiver responded that it wants no more events."
			}
			host := mail.ShowName(e.Name())
			out = append(out, Finding{OrganizationID: e.OrganizationID, Subject: e.ID, Notice: mail.Notice{
				Title: "The webhook endpoint " + host + " was turned off",
				Paragraphs: []string{fmt.Sprintf("The server turned off the webhook endpoint %s (%s). %s", e.ID, host, why),
					"Once the receiver works, turn the endpoint on again and replay the deliveries that failed."},
				Label: "Show the endpoint", Path: "/dashboard/settings/webhooks/" + e.ID}})
		}
		return out, err
	}}
}

// maxLinks is the maximum number of a site's dead links in an alert.
const maxLinks = 10

// Links finds sites with links that have been dead for days. list is nil if dead links are not checked; existing
// alerts then end.
func Links(list func(ctx context.Context) ([]deadlink.Site, error)) Rule {
	return Rule{Name: "link", Find: func(ctx context.Context) ([]Finding, error) {
		if list == nil {
			return nil, nil
		}
		all, err := list(ctx)
		var out []Finding
		for _, s := range all {
			name := mail.ShowName(s.Name)
			n := Finding{OrganizationID: s.OrganizationID, Subject: s.ProjectID, Notice: mail.Notice{
				Title:      "Links of " + name + " are broken",
				Paragraphs: []string{fmt.Sprintf("Links of the site “%s” to other sites have been broken for days: %d.", name, len(s.Links))},
				Label:      "Show the project", Path: "/dashboard/projects/" + s.ProjectID}}
			for _, one := range s.Links[:min(len(s.Links), maxLinks)] {
				n.Notice.Paragraphs = append(n.Notice.Paragraphs, fmt.Sprintf("On the page /%s, since %s: %s (%s)", mail.OneLine(one.Page),
					one.Since.UTC().Format("2 January 2006"), clip.Runes(mail.OneLine(one.Address), maxReason), one.Reason))
			}
			out = append(out, n)
		}
		return out, err
	}}
}

// Certificate is a TLS certificate that the server uses for a host.
type Certificate struct {
	Host           string // host name, or several
	OrganizationID string // whose owners are informed
	Begin, End     time.Time
}

// certificateWarning is the longest remaining lifetime at which an alert is raised. For shorter-lived certificates, the
// alert is raised when a sixth of the whole lifetime is left. Automatic renewal starts when a third is left, so by then
// it has been failing for a while.
const certificateWarning = 14 * 24 * time.Hour

// Ending reports whether the certificate should have been renewed by now.
func (c Certificate) Ending(now time.Time) bool {
	return c.End.Sub(now) < min(certificateWarning, c.End.Sub(c.Begin)/6)
}

// Certificates finds certificates that have expired or will expire soon.
func Certificates(list func(ctx context.Context) ([]Certificate, error), now func() time.Time) Rule {
	return Rule{Name: "certificate", Find: func(ctx context.Context) ([]Finding, error) {
		all, err := list(ctx)
		var out []Finding
		for _, c := range all {
			if !c.Ending(now()) {
				continue
			}
			host := mail.ShowName(c.Host)
			out = append(out, Finding{OrganizationID: c.OrganizationID, Subject: c.Host, Notice: mail.Notice{
				Title: "The certificate of " + host + " ends soon",
				Paragraphs: []string{fmt.Sprintf("The TLS certificate of %s is valid until %s and was not renewed. After that, browsers refuse to open the site.",
					host, c.End.UTC().Format("2 January 2006, 15:04 MST")),
					"Check that the DNS records of the host point to this server, and that the certificate authority can reach it. The server's log has the reason."},
				Label: "Open the dashboard", Path: "/dashboard/"}})
		}
		return out, err
	}}
}
