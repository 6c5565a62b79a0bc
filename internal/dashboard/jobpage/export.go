package jobpage

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// exportPage is the data of one static export's page.
type exportPage struct {
	client.ExportJob
	FormError *shell.PageError // error of the submitted form
	Link      *bundlePage      // created by the submitted form; nil = none
	Format    client.BundleFormat
	Speed     string // formatted pages per second; "" if unknown
	Left      string // formatted remaining time; "" if unknown
	Again     string // URL of a form that is prefilled to start a similar export
}

// bundlePage is a download link with usage instructions.
type bundlePage struct {
	client.BundleLink
	Until, Exact, In string // expiry as a timestamp, in readable form, and relative to now
	Get              string // commands that download and verify it
	Values, Helm     string // values to serve it with the Helm chart
}

// Running reports whether the job has not ended. Used by the template.
func (p exportPage) Running() bool { return !p.Status.Ended() }

// Findings returns the findings of the build. Used by the template.
func (p exportPage) Findings() []shell.Finding { return shell.GroupFindings(p.Diagnostics) }

func showExport(b *shell.Board, v *shell.Visit) error {
	return showExportJob(v, http.StatusOK, exportPage{})
}

// backToExport redirects from the URL of a form response, which cannot be opened again.
func backToExport(b *shell.Board, v *shell.Visit) error {
	if _, err := v.API.GetExport(v.Ctx(), v.R.PathValue("jobId")); err != nil {
		return err
	}
	return v.Done(exportPath(v), "")
}

func exportPath(v *shell.Visit) string {
	return ExportsPath + "/" + url.PathEscape(v.R.PathValue("jobId"))
}

func cancelExport(b *shell.Board, v *shell.Visit) error {
	if _, err := v.API.CancelExport(v.Ctx(), v.R.PathValue("jobId")); err != nil {
		return exportRefused(v, err, "")
	}
	return v.Done(exportPath(v), "export-canceled")
}

// linkExport creates a link and shows it. Anyone who has the link can download the bundle, so the link is never part of
// a page's URL.
func linkExport(b *shell.Board, v *shell.Visit) error {
	format := client.BundleFormat(v.Field("format"))
	link, err := v.API.CreateExportBundle(v.Ctx(), v.R.PathValue("jobId"),
		client.CreateExportBundleParams{Format: format})
	if err != nil {
		return exportRefused(v, err, format)
	}
	return showExportJob(v, http.StatusOK, exportPage{Link: newBundlePage(*link, b.Now()), Format: format})
}

func exportRefused(v *shell.Visit, err error, format client.BundleFormat) error {
	pageErr := shell.FormError(err)
	if pageErr == nil || pageErr.Status == http.StatusNotFound {
		return err
	}
	return showExportJob(v, pageErr.Status, exportPage{FormError: pageErr, Format: format})
}

// showExportJob loads the job and shows the page. The response to a form is not updated live, because it has no URL
// of its own.
func showExportJob(v *shell.Visit, status int, page exportPage) error {
	job, err := v.API.GetExport(v.Ctx(), v.R.PathValue("jobId"))
	if err != nil {
		return err
	}
	v.Anywhere() // an export does not name its project; the API checks permissions
	page.ExportJob = *job
	if job.PagesPerSecond != nil {
		page.Speed = strconv.FormatFloat(*job.PagesPerSecond, 'f', 0, 64) + " pages/s"
	}
	if job.SecondsLeft != nil && !job.Status.Ended() {
		page.Left = spell(time.Duration(*job.SecondsLeft) * time.Second)
	}
	page.Again = ExportsPath + "?" + url.Values{"domain": {job.Domain}, "version": {shell.Text(job.Version)}}.Encode() +
		"#start"
	title := "Export of " + job.Domain
	if version := shell.Text(job.Version); version != "" {
		title += " · " + version
	}
	reading := v.R.Method == http.MethodGet
	return v.Show(status, "export", shell.Frame{Title: title, Section: "exports",
		Crumbs: []shell.Crumb{{Text: "Static exports", Path: ExportsPath}},
		Live:   reading, Working: reading && !job.Status.Ended()}, page)
}

// spell formats a duration, with seconds if it is below an hour.
func spell(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}

func newBundlePage(link client.BundleLink, now time.Time) *bundlePage {
	file := "site." + string(link.Format)
	values := "staticExport:\n  enabled: true\n  bundleUrl: " + strconv.Quote(link.BundleURL) + "\n"
	if version := shell.Text(link.Version); version != "" {
		values += "  version: " + strconv.Quote(version) + "\n"
	}
	return &bundlePage{BundleLink: link, Until: link.ExpiresAt.UTC().Format(time.RFC3339),
		Exact: shell.Exactly(link.ExpiresAt), In: shell.Relative(link.ExpiresAt, now),
		Get: "curl -f -o " + file + " " + shell.Quoted(link.BundleURL) + "\necho " +
			shell.Quoted(link.SHA256+"  "+file) + " | sha256sum -c",
		Values: strings.TrimSuffix(values, "\n"),
		Helm:   "helm upgrade --install docs lectern-*.tgz --reset-then-reuse-values --values static-export.yaml"}
}
