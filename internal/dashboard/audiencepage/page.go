package audiencepage

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// page is the data common to all pages about a site's readers.
type page struct {
	Project   client.Project
	Tabs      []shell.Tab // pages of the project
	Parts     []shell.Tab // pages about its readers
	Span      span
	SpanError *shell.PageError // error in the requested span; nil = none
	List      string           // name of the API's list for the CSV file
	Hidden    string           // feedback state to keep in the span form; "" = any
	asks      bool             // whether the site has an assistant
}

// FieldErrors returns the errors in the fields of the span.
func (p page) FieldErrors() map[string]string { return p.SpanError.FieldErrors() }

// At returns the URL of one of the pages, keeping the span.
func (p page) At(rest string) string {
	return shell.ProjectPath(p.Project.ProjectID, "/analytics"+rest) + p.Span.Query()
}

// CSV returns the URL of a list as a CSV file.
func (p page) CSV(list string) string { return p.At("/csv/" + list) }

// Call returns the path of the API request for a list.
func (p page) Call(list string) string {
	return "/v1/analytics/" + p.Project.ProjectID + "/" + list + p.Span.API()
}

// Reader returns the public URL of a page, or "" if the path is not a page or the site is not live.
func (p page) Reader(path string) string {
	if p.Project.Live == nil || len(path) == 0 || path[0] != '/' {
		return ""
	}
	return p.Project.URL + path
}

// open loads the project and the span of a page about readers. done is true if a response was sent because the
// feature is off.
func open(v *shell.Visit, part string) (p page, done bool, err error) {
	project, err := v.API.GetProject(v.Ctx(), v.R.PathValue("projectId"))
	if err != nil {
		return p, false, err
	}
	p.Project, p.Tabs = *project, shell.ProjectTabs(v, project.ProjectID, "Analytics")
	d, err := v.API.GetDeployment(v.Ctx())
	if err != nil {
		return p, false, err
	}
	if !d.Features.Analytics.Enabled {
		return p, true, showOff(v, p.Tabs, "Analytics", d.Type, d.Features.Analytics)
	}
	p.asks = d.Features.Assistant.Enabled
	p.Span, p.SpanError = readSpan(v)
	for _, t := range []shell.Tab{{Text: "Traffic"}, {Text: "Search", Path: "/search"},
		{Text: "Feedback", Path: "/feedback"}, {Text: "Assistant", Path: "/assistant"},
		{Text: "Playground", Path: "/playground"}, {Text: "Missing pages", Path: "/missing"}} {
		if t.Text == "Assistant" && !p.asks || t.Text == "Playground" && !d.Features.Playground.Enabled {
			continue // the site has nothing that this page could count
		}
		p.Parts = append(p.Parts, shell.Tab{Text: t.Text, Path: p.At(t.Path), Current: t.Text == part})
	}
	return p, false, nil
}

// show responds with a page about readers.
func show(v *shell.Visit, name, title string, p page, data any) error {
	status := http.StatusOK
	if p.SpanError != nil {
		status = p.SpanError.Status
	}
	f := shell.Frame{Title: title + " of " + p.Project.Name, Section: "analytics",
		Crumbs: shell.ProjectCrumbs(p.Project.Name, p.Project.ProjectID)}
	return v.Show(status, name, f, data)
}

// showOff explains why a feature is off; what is the feature's name.
func showOff(v *shell.Visit, tabs []shell.Tab, what, kind string, f client.Feature) error {
	data := struct {
		Tabs       []shell.Tab
		What, Type string
		client.Feature
	}{tabs, what, kind, f}
	return v.Show(http.StatusOK, "analyticsoff", shell.Frame{Title: "Analytics", Section: "analytics"}, data)
}

// files maps the API's lists that are available as CSV to file names.
var files = map[string]string{"summary": "summary", "views": "views", "visitors": "visitors", "searches": "searches",
	"missing":    "missing",
	"playground": "playground", "referrers": "referrers", "feedback": "feedback",
	"feedback-by-page": "feedback/by-page"}

// file passes on a list of the API unchanged.
func file(b *shell.Board, v *shell.Visit) error {
	p, done, err := open(v, "")
	if err != nil || done {
		return err
	}
	list, ok := files[v.R.PathValue("list")]
	if !ok {
		list = "views"
	}
	if p.SpanError != nil {
		return v.Done(p.At(""), "")
	}
	v.Pass(http.MethodGet, p.Call(list)+"&format=csv")
	return nil
}
