package audiencepage

import (
	"net/url"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// Length of the spans, in days: the default, and the maximum of the API.
const (
	usual   = 28
	longest = 400
)

// span is the range of days that a page shows.
type span struct {
	Length   int       // 7, 28 or 90 up to today; 0 = chosen by dates
	From, To string    // first and last day in the format of date fields
	first    time.Time // the first day
	end      time.Time // day after the last one
}

// readSpan parses days= or from= and to= from the URL. An invalid value is reported, and the page shows the default
// range.
func readSpan(v *shell.Visit) (s span, pageErr *shell.PageError) {
	today := v.B.Now().UTC().Truncate(24 * time.Hour)
	from, to := v.Query("from"), v.Query("to")
	if from == "" && to == "" {
		n, err := strconv.Atoi(v.Query("days"))
		if err != nil || n != 7 && n != 90 {
			n = usual
		}
		return lastDays(today, n), nil
	}
	s = span{From: from, To: to}
	first, errFrom := time.Parse(time.DateOnly, from)
	last, errTo := time.Parse(time.DateOnly, to)
	fields := map[string]string{}
	switch {
	case errFrom != nil:
		fields["from"] = "Write a date such as 2026-01-31."
	case first.Year() < 2000: // the preceding days are requested too, and must be valid
		fields["from"] = "The first day must be 2000-01-01 or later."
	case errTo != nil:
		fields["to"] = "Write a date such as 2026-01-31."
	case last.Before(first):
		fields["to"] = "The last day is before the first."
	case last.Sub(first) >= longest*24*time.Hour:
		fields["from"] = "A period may have at most " + strconv.Itoa(longest) + " days."
	default:
		s.first, s.end = first, last.AddDate(0, 0, 1)
		return s, nil
	}
	shown := lastDays(today, usual)
	s.first, s.end = shown.first, shown.end
	return s, &shell.PageError{Status: 400,
		Message: "The period is not valid; the last " + strconv.Itoa(usual) + " days are shown.", Fields: fields}
}

// lastDays returns the span of n days that ends today.
func lastDays(today time.Time, n int) span {
	first := today.AddDate(0, 0, 1-n)
	return span{Length: n, From: first.Format(time.DateOnly), To: today.Format(time.DateOnly), first: first,
		end: today.AddDate(0, 0, 1)}
}

// before returns the same number of days just before the span.
func (s span) before() span {
	return span{first: s.first.Add(-s.end.Sub(s.first)), end: s.first}
}

// dateFrom returns the first day in the API's format.
func (s span) dateFrom() string { return s.first.Format(time.DateOnly) }

// dateTo returns the day after the last one in the API's format.
func (s span) dateTo() string { return s.end.Format(time.DateOnly) }

// summary returns the API parameters for the days' figures.
func (s span) summary() client.GetAnalyticsSummaryParams {
	return client.GetAnalyticsSummaryParams{DateFrom: s.dateFrom(), DateTo: s.dateTo()}
}

// Query returns the query string that keeps the span, with a question mark.
func (s span) Query() string {
	if s.Length != 0 {
		return "?days=" + strconv.Itoa(s.Length)
	}
	return "?" + url.Values{"from": {s.From}, "to": {s.To}}.Encode()
}

// API returns the query string for API requests.
func (s span) API() string {
	return "?dateFrom=" + s.dateFrom() + "&dateTo=" + s.dateTo()
}

// Words describes the days.
func (s span) Words() string {
	last := s.end.AddDate(0, 0, -1)
	if s.first.Equal(last) {
		return last.Format("2 January 2006")
	}
	return s.first.Format("2 January 2006") + " to " + last.Format("2 January 2006")
}

// Choices returns the spans to choose from.
func (s span) Choices() (out []shell.Tab) {
	for _, n := range []int{7, usual, 90} {
		out = append(out, shell.Tab{Text: strconv.Itoa(n) + " days", Path: "?days=" + strconv.Itoa(n),
			Current: s.Length == n})
	}
	return out
}
