package audiencepage

import (
	"fmt"
	"html/template"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/barchart"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// figure is one of the large numbers above a chart.
type figure struct {
	Name, Value string
	Class       string // color class in the chart; "" = not in the chart
	Change      string // compared with the same number of days before; "" = unknown
	More        string // short explanation
}

// dayRow is a day in the table below a chart.
type dayRow struct {
	Day    string
	Counts []string
}

// chart is a drawing and its data.
type chart struct {
	Drawing template.HTML
	Title   string
	Series  []barchart.Series
	Rows    []dayRow
	Empty   bool // all values are zero
}

type trafficPage struct {
	page
	Figures   []figure
	Chart     chart
	Views     *client.ViewList
	Referrers *client.ReferrerList
	Next      string // URLs of the adjacent pages; "" = none
	Previous  string
	Copies    string
}

// perPage is the number of rows per list page.
const perPage = 25

func traffic(b *shell.Board, v *shell.Visit) error {
	p, done, err := open(v, "Traffic")
	if err != nil || done {
		return err
	}
	data := trafficPage{page: p}
	data.List = "views"
	now, err := v.API.GetAnalyticsSummary(v.Ctx(), p.Project.ProjectID, p.Span.summary())
	if err != nil {
		return err
	}
	before, err := v.API.GetAnalyticsSummary(v.Ctx(), p.Project.ProjectID, p.Span.before().summary())
	if err != nil {
		return err
	}
	offset := offsetOf(v)
	data.Views, err = v.API.ListViews(v.Ctx(), p.Project.ProjectID, client.ListViewsParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: perPage, Offset: offset})
	if err != nil {
		return err
	}
	data.Referrers, err = v.API.ListReferrers(v.Ctx(), p.Project.ProjectID, client.ListReferrersParams{
		DateFrom: p.Span.dateFrom(), DateTo: p.Span.dateTo(), Limit: 10})
	if err != nil {
		return err
	}
	data.Next, data.Previous = around(p.At(""), offset, data.Views.HasMore)
	data.Figures, data.Chart = trafficFigures(now.Totals, before.Totals), trafficChart(now.Days)
	data.Copies = shell.Count(int(now.Totals.Copies), "code block")
	return show(v, "analytics", "Readers", p, data)
}

func trafficFigures(now, before client.Figures) []figure {
	one := func(name, class, more string, n, was int64) figure {
		return figure{Name: name, Class: class, More: more, Value: barchart.Number(n), Change: change(n, was)}
	}
	return []figure{
		one("People", "human", "page views", now.Views.Human, before.Views.Human),
		one("AI", "ai", "pages read by agents and models", now.Views.AI, before.Views.AI),
		one("Search engines", "crawl", "pages read by crawlers", now.Views.SearchIndex, before.Views.SearchIndex),
		one("Visitors", "", "unique people per day", now.Visitors.Human, before.Visitors.Human),
	}
}

// change describes the difference between a count and an earlier one.
func change(now, before int64) string {
	switch {
	case before == 0 || now == before:
		return ""
	case now > 10*before:
		return fmt.Sprintf("%d times as many", now/before)
	}
	percent := (now - before) * 100 / before
	if percent == 0 {
		return ""
	}
	return fmt.Sprintf("%+d %%", percent)
}

func trafficChart(days []client.DayFigures) chart {
	people, ai, crawl := barchart.Series{Class: "human", Name: "people"}, barchart.Series{Class: "ai", Name: "AI"},
		barchart.Series{Class: "crawl", Name: "search engines"}
	for _, d := range days {
		people.Values = append(people.Values, d.Views.Human)
		ai.Values = append(ai.Values, d.Views.AI)
		crawl.Values = append(crawl.Values, d.Views.SearchIndex)
	}
	return newChart("Page views by day", days, people, ai, crawl)
}

// newChart draws series of days and keeps their numbers for the table. An invalid date would be a bug in the API and is
// left empty.
func newChart(title string, days []client.DayFigures, series ...barchart.Series) chart {
	c := barchart.Chart{Title: title, Series: series}
	out := chart{Title: title, Series: series}
	for i, d := range days {
		at, _ := time.Parse(time.DateOnly, d.Date)
		c.Days = append(c.Days, at)
		row := dayRow{Day: at.Format("2 January 2006")}
		for _, s := range series {
			row.Counts = append(row.Counts, barchart.Number(s.Values[i]))
		}
		out.Rows = append(out.Rows, row)
	}
	out.Drawing, out.Empty = c.SVG(), c.Most() == 0
	return out
}

// offsetOf returns the offset in the URL.
func offsetOf(v *shell.Visit) int {
	n, err := strconv.Atoi(v.Query("offset"))
	if err != nil || n < 0 || n > 1e6 {
		return 0
	}
	return n
}

// around returns the URLs of the next and previous rows, or "" if there are none. at already contains a query string.
func around(at string, offset int, more bool) (next, previous string) {
	if more {
		next = at + "&offset=" + strconv.Itoa(offset+perPage)
	}
	if offset > 0 {
		previous = at + "&offset=" + strconv.Itoa(max(offset-perPage, 0))
	}
	return next, previous
}
