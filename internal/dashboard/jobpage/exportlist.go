package jobpage

import (
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// exportsPage is the data of the page with static exports.
type exportsPage struct {
	Plan      *shell.PageError // why the organization's plan has no exports; nil = it has
	FormError *shell.PageError // error of the submitted form
	Form      exportForm
	Domains   []string
	Many      bool // there are too many projects to list, so the domain must be typed
	List      shell.Listing[client.ExportJob]
	Example   string
}

// exportForm contains the user's input.
type exportForm struct{ Domain, Version, Paths, Groups string }

// FieldErrors returns the errors of fields. Used by the template.
func (p exportsPage) FieldErrors() map[string]string { return p.FormError.FieldErrors() }

func listExports(b *shell.Board, v *shell.Visit) error {
	return showExports(v, http.StatusOK,
		exportsPage{Form: exportForm{Domain: v.Query("domain"), Version: v.Query("version")}})
}

func startExport(b *shell.Board, v *shell.Visit) error {
	form := exportForm{Domain: v.Field("domain"), Version: v.Field("version"), Paths: v.Form.Get("paths"),
		Groups: v.Form.Get("groups")}
	job, err := v.API.StartExport(v.Ctx(),
		client.StartExport{Domain: form.Domain, Version: form.Version, Paths: shell.Lines(form.Paths),
			Groups: shell.Lines(form.Groups)})
	if err != nil {
		pageErr := shell.FormError(err)
		if pageErr == nil {
			return err
		}
		return showExports(v, pageErr.Status, exportsPage{Form: form, FormError: pageErr})
	}
	did := "export-started"
	if job.Joined {
		did = "export-joined"
	}
	return v.Done(ExportsPath+"/"+job.JobID, did)
}

// showExports loads the remaining data and shows the page.
func showExports(v *shell.Visit, status int, page exportsPage) error {
	v.Anywhere()
	f := shell.Frame{Title: "Static exports", Section: "exports", Live: v.R.Method == http.MethodGet}
	var err error
	if page.List, err = exportList(v); err != nil {
		if pageErr := shell.FormError(err); pageErr != nil && pageErr.Code == "plan_required" {
			page.Plan, page.FormError, f.Live = pageErr, nil, false
			return v.Show(status, "exports", f, page)
		}
		return err
	}
	projects, more, err := newestProjects(v, 1) // only one page, because live pages reload often
	if err != nil {
		return err
	}
	page.Many = more
	for _, p := range projects {
		for _, d := range p.DomainStates {
			if d.State == client.DomainHeld { // pending domains have no site to export
				page.Domains = append(page.Domains, d.Domain)
			}
		}
	}
	example := client.StartExport{Domain: "docs.example.com", Version: "v1"}
	if len(page.Domains) > 0 {
		example.Domain = page.Domains[0]
	}
	page.Example = shell.Body(example)
	return v.Show(status, "exports", f, page)
}

// exportList loads the exports selected by the URL.
func exportList(v *shell.Visit) (shell.Listing[client.ExportJob], error) {
	type row = client.ExportJob
	return shell.List(v, shell.Listed[row]{Noun: "exports", Newest: "started", Size: 25,
		Columns: []shell.Column[row]{
			{Key: "site", Label: "Site", Compare: func(a, b row) int { return strings.Compare(a.Domain, b.Domain) }},
			{Key: "version", Label: "Version", Compare: func(a, b row) int {
				return strings.Compare(shell.Text(a.Version), shell.Text(b.Version))
			}},
			{Key: "state", Label: "State", Compare: func(a, b row) int {
				return strings.Compare(string(a.Status), string(b.Status))
			}},
			{Key: "pages", Label: "Progress", Down: true, Compare: func(a, b row) int { return a.PageCount - b.PageCount }},
			{Key: "started", Label: "Started", Down: true, Compare: func(a, b row) int {
				return a.CreatedAt.Compare(b.CreatedAt)
			}}},
		Text: func(j row) string { return j.Domain + " " + shell.Text(j.Version) + " " + j.JobID },
		States: []string{string(client.ExportStatusQueued), string(client.ExportStatusRunning),
			string(client.ExportStatusCompleted), string(client.ExportStatusFailed)},
		Load: func(state, cursor string, limit int) ([]row, string, error) {
			list, err := v.API.ListExports(v.Ctx(),
				client.ListExportsParams{Limit: limit, Cursor: cursor, Status: client.ExportStatus(state)})
			if err != nil {
				return nil, "", err
			}
			return list.Jobs, shell.Text(list.NextCursor), nil
		}})
}

// newestProjects lists the organization's projects, newest first, reading up to pages pages of a hundred; more
// reports whether there are others.
func newestProjects(v *shell.Visit, pages int) (out []client.Project, more bool, err error) {
	next := ""
	for range pages {
		list, err := v.API.ListProjects(v.Ctx(), client.ListProjectsParams{Limit: 100, Cursor: next})
		if err != nil {
			return nil, false, err
		}
		out = append(out, list.Projects...)
		if next = shell.Text(list.NextCursor); next == "" {
			return out, false, nil
		}
	}
	return out, true, nil
}
