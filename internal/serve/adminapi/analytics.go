package adminapi

import (
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/store"
)

func showTraffic(t audience.Traffic) client.Traffic {
	return client.Traffic{Human: t.Of(audience.Human), AI: t.AI(), Total: t.Total(),
		SearchIndex: t.Of(audience.Indexer), Training: t.Of(audience.Trainer), OtherAI: t.Of(audience.OtherBot)}
}

func showFigures(f audience.Figures) client.Figures {
	return client.Figures{Views: showTraffic(f.Views), Visitors: showTraffic(f.Visitors), Searches: f.Searches,
		NoResults: f.NoResults, Clicks: f.Clicks, Missing: f.Missing,
		Asks: f.Asks, Tries: f.Tries, Copies: f.Copies, Feedback: f.Suggestions}
}

func showDay(d audience.Day, of audience.Figures) client.DayFigures {
	f := showFigures(of)
	return client.DayFigures{Date: d.String(), Views: f.Views, Visitors: f.Visitors, Searches: f.Searches,
		NoResults: f.NoResults,
		Clicks:    f.Clicks, Missing: f.Missing, Asks: f.Asks, Tries: f.Tries, Copies: f.Copies, Feedback: f.Feedback}
}

func showPageTraffic(path string, of audience.Traffic) client.PageTraffic {
	t := showTraffic(of)
	return client.PageTraffic{Path: path, Human: t.Human, AI: t.AI, Total: t.Total, SearchIndex: t.SearchIndex,
		Training: t.Training, OtherAI: t.OtherAI}
}

// report is a request for analytics: the project, the days and the format.
type report struct {
	project string
	span    audience.Span
	query   url.Values
	csv     bool
}

// report validates the parameters common to all analytics requests. Without dateFrom, the span is the 28 days before
// dateTo.
func (a *api) report(c *call) (r report, err error) {
	if f := a.Deployment.Features.Analytics; !f.Enabled {
		return r, fault.New(fault.Forbidden, "feature_unavailable", "Web analytics are off on this server.").
			WithHint(f.Reason)
	}
	if err := a.takeAnalytics(c); err != nil {
		return r, err
	}
	p, err := a.Store.FindProject(c.ctx(), c.org(), c.pathID("projectId", id.Project))
	if err != nil {
		return r, err
	}
	r.project = p.ID
	if r.query, err = c.query(); err != nil {
		return r, err
	}
	if r.csv, err = c.wantsCSV(r.query); err != nil {
		return r, err
	}
	r.span, err = dates(r.query, audience.Span{From: 0, To: audience.DayOf(a.Now()) + 1})
	if r.query.Get("dateFrom") == "" {
		r.span.From = max(0, r.span.To-usualDays)
	}
	return r, err
}

// dates parses dateFrom and dateTo; dateTo is exclusive.
func dates(q url.Values, span audience.Span) (audience.Span, error) {
	for name, into := range map[string]*audience.Day{"dateFrom": &span.From, "dateTo": &span.To} {
		v := q.Get(name)
		if v == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, v)
		if err != nil {
			t, err = time.Parse(time.RFC3339, v)
		}
		if err != nil || t.Year() < 1970 {
			return span, fault.Newf(fault.Invalid, "invalid_field",
				"%s must be a date such as 2026-01-31, or a time such as 2026-01-31T00:00:00Z.", name).WithField(name)
		}
		if *into = audience.DayOf(t); name == "dateTo" && t.After(into.Time()) {
			*into++ // a time within a day: include the whole day, because figures are stored by day
		}
	}
	if q.Get("dateTo") != "" && span.To <= span.From {
		return span, fault.New(fault.Invalid, "invalid_field",
			"dateTo must be after dateFrom; dateTo itself is not included.").WithField("dateTo")
	}
	return span, nil
}

// kept returns the span for a list that contains everything stored unless the request has a dateFrom.
func (r report) kept() audience.Span {
	s := r.span
	if r.query.Get("dateFrom") == "" {
		s.From = 0
	}
	return s
}

// number parses an integer within bounds.
func number(q url.Values, name string, usual, least, most int) (int, error) {
	v := q.Get(name)
	if v == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		return 0, fault.Newf(fault.Invalid, "invalid_field", "%s must be an integer between %d and %d.", name, least,
			most).WithField(name)
	}
	return n, nil
}

const (
	usualRows = 50
	mostRows  = 250
	lastRow   = 1_000_000
)

// rows parses limit and offset. A CSV file contains all rows.
func (r report) rows() (s store.Some, err error) {
	if r.csv {
		return store.Some{Limit: maxCSV}, nil
	}
	if s.Limit, err = number(r.query, "limit", usualRows, 1, mostRows); err != nil {
		return s, err
	}
	s.Offset, err = number(r.query, "offset", 0, 0, lastRow)
	s.Limit++ // one extra row shows whether there are more
	return s, err
}

// some removes the extra row that was read to find out whether there are more.
func some[T any](list []T, s store.Some) (out []T, more bool) {
	if len(list) >= s.Limit && s.Limit <= mostRows+1 {
		return list[:s.Limit-1], true
	}
	return list, false
}

const (
	usualDays = 28
	mostDays  = 400
)

func (a *api) getAnalyticsSummary(c *call) (response, error) {
	r, err := a.report(c)
	if err != nil {
		return response{}, err
	}
	if r.span.To-r.span.From > mostDays {
		return response{}, fault.Newf(fault.Invalid, "invalid_field", "A summary may cover at most %d days.", mostDays).
			WithField("dateFrom")
	}
	list, err := a.Store.ListDays(c.ctx(), r.project, r.span)
	if err != nil {
		return response{}, err
	}
	byDay := map[audience.Day]audience.Figures{}
	var total audience.Figures
	for _, d := range list {
		byDay[d.Day] = d.Figures
		total = total.Plus(d.Figures)
	}
	days := []client.DayFigures{}
	for d := r.span.From; d < r.span.To; d++ {
		days = append(days, showDay(d, byDay[d]))
	}
	if r.csv {
		return sendRows(c, "summary", summaryHead(), days, summaryCells)
	}
	return response{status: http.StatusOK, body: client.AnalyticsSummary{DateFrom: r.span.From.String(),
		DateTo: r.span.To.String(), Totals: showFigures(total), Days: days}}, nil
}
