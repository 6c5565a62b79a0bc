package audiencepage

import (
	"net/http"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// page is what all pages about a site's readers have.
type page struct {
	Project   client.Project
	Tabs      []shell.Tab // the pages of the project
	Parts     []shell.Tab // the pages about its readers
	Span      span
	SpanError *shell.PageError // with what the address asks for; nil = none
	List      string           // name of the API's list that is behind the page, for its CSV file
	Hidden    string           // state of feedback that the form for days keeps; "" = any
	asks      bool             // whether the site has an assistant
}

// FieldErrors returns what is wrong with the fields of the span.
func (p page) FieldErrors() map[string]string { return p.SpanError.FieldErrors() }

// At returns the address of one of the pages, with the span kept.
func (p page) At(rest string) string {
	return shell.ProjectPath(p.Project.ProjectID, "/analytics"+rest) + p.Span.Query()
}

// CSV returns the address of a list as a file.
func (p page) CSV(list string) string { return p.At("/csv/" + list) }

// Call returns the path of the API's call behind a list.
func (p page) Call(list string) string {
	return "/v1/analytics/" + p.Project.ProjectID + "/" + list + p.Span.API()
}

// Reader returns where readers see a page; "" for what is no page, and for a site that is not live.
func (p page) Reader(path string) string {
	if p.Project.Live == nil || len(path) == 0 || path[0] != '/' {
		return ""
	}
	return p.Project.URL + path
}

// open finds the project and the days of a page about readers. done is true if a response was sent: the feature is off.
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
			continue // there is nothing on the site that would be counted
		}
		p.Parts = append(p.Parts, shell.Tab{Text: t.Text, Path: p.At(t.Path), Current: t.Text == part})
	}
	return p, false, nil
}

// show answers with a page about readers.
func show(v *shell.Visit, name, title string, p page, data any) error {
	status := http.StatusOK
	if p.SpanError != nil {
		status = p.SpanError.Status
	}
	f := shell.Frame{Title: title + " of " + p.Project.Name, Section: "analytics",
		Crumbs: shell.ProjectCrumbs(p.Project.Name, p.Project.ProjectID)}
	return v.Show(status, name, f, data)
}

// showOff says why a feature is off, as the deployment does; what is its name.
func showOff(v *shell.Visit, tabs []shell.Tab, what, kind string, f client.Feature) error {
	data := struct {
		Tabs       []shell.Tab
		What, Type string
		client.Feature
	}{tabs, what, kind, f}
	return v.Show(http.StatusOK, "analyticsoff", shell.Frame{Title: "Analytics", Section: "analytics"}, data)
}

// files are the API's lists that can be had as CSV.
var files = map[string]string{"summary": "summary", "views": "views", "visitors": "visitors", "searches": "searches",
	"missing":    "missing",
	"playground": "playground", "referrers": "referrers", "feedback": "feedback",
	"feedback-by-page": "feedback/by-page"}

// file hands a list of the API through as it comes.
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
