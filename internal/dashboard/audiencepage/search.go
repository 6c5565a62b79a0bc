package audiencepage

import (
	"net/url"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/barchart"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

type searchesPage struct {
	page
	Figures  []figure
	Chart    chart
	Searches *client.SearchTermList
	Next     string
}

// Percent formats a share as a percentage.
func (searchesPage) Percent(share float64) string {
	return barchart.Number(int64(share*100+0.5)) + " %"
}

func searches(b *shell.Board, v *shell.Visit) error {
	p, done, err := open(v, "Search")
	if err != nil || done {
		return err
	}
	data := searchesPage{page: p}
	data.List = "searches"
	sum, err := v.API.GetAnalyticsSummary(v.Ctx(), p.Project.ProjectID, p.Span.summary())
	if err != nil {
		return err
	}
	data.Searches, err = v.API.ListSearches(v.Ctx(), p.Project.ProjectID, client.ListSearchesParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: 50, Cursor: v.Query("cursor")})
	if err != nil {
		return err
	}
	if next := shell.Text(data.Searches.NextCursor); next != "" {
		data.Next = p.At("/search") + "&cursor=" + url.QueryEscape(next)
	}
	t := sum.Totals
	data.Figures = []figure{
		{Name: "Searches", Class: "found", Value: barchart.Number(t.Searches), More: "by readers"},
		{Name: "Opened a result", Value: data.Percent(share(t.Clicks, t.Searches)), More: "clicks per search"},
		{Name: "Found nothing", Class: "nothing", Value: barchart.Number(t.NoResults),
			More: "searches without a result"},
	}
	found, nothing := barchart.Series{Class: "found", Name: "with results"},
		barchart.Series{Class: "nothing", Name: "without results"}
	for _, d := range sum.Days {
		found.Values, nothing.Values = append(found.Values, max(d.Searches-d.NoResults, 0)),
			append(nothing.Values, d.NoResults)
	}
	data.Chart = newChart("Searches by day", sum.Days, found, nothing)
	return show(v, "analyticssearch", "Searches", p, data)
}

func share(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
