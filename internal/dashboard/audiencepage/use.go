package audiencepage

import (
	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// playground shows the API operations that readers tried.
func playground(b *shell.Board, v *shell.Visit) error {
	p, done, err := open(v, "Playground")
	if err != nil || done {
		return err
	}
	p.List = "playground"
	offset := offsetOf(v)
	data := struct {
		page
		Use            *client.PlaygroundUse
		Next, Previous string
	}{page: p}
	data.Use, err = v.API.ListTries(v.Ctx(), p.Project.ProjectID, client.ListTriesParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: perPage, Offset: offset})
	if err != nil {
		return err
	}
	data.Next, data.Previous = around(p.At("/playground"), offset, data.Use.HasMore)
	return show(v, "analyticsplayground", "Playground", p, data)
}

// missing shows requests for missing pages, and the sites that link to them.
func missing(b *shell.Board, v *shell.Visit) error {
	p, done, err := open(v, "Missing pages")
	if err != nil || done {
		return err
	}
	p.List = "missing"
	offset := offsetOf(v)
	data := struct {
		page
		Missing        *client.MissingPageList
		Next, Previous string
	}{page: p}
	data.Missing, err = v.API.ListMissing(v.Ctx(), p.Project.ProjectID, client.ListMissingParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: perPage, Offset: offset})
	if err != nil {
		return err
	}
	data.Next, data.Previous = around(p.At("/missing"), offset, data.Missing.HasMore)
	return show(v, "analyticsmissing", "Missing pages", p, data)
}
