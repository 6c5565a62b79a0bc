package adminapi

import (
	"bytes"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

const (
	maxCSV      = 50_000 // rows of a file
	maxTermsCSV = 5_000  // search terms per file, each of which requires a lookup
	csvBlock    = 32 << 10
)

// wantsCSV reports whether a list is requested as CSV.
func (c *call) wantsCSV(q url.Values) (bool, error) {
	switch q.Get("format") {
	case "csv":
		return true, nil
	case "json":
		return false, nil
	case "":
		return strings.HasPrefix(strings.TrimSpace(c.r.Header.Get("Accept")), "text/csv"), nil
	}
	return false, fault.New(fault.Invalid, "invalid_field", "format must be json or csv.").WithField("format")
}

// sendRows sends rows as a CSV file, in blocks.
func sendRows[T any](c *call, name string, head []string, rows []T, cells func(T) []string) (response, error) {
	s, err := c.beginCSV(name, head)
	for _, row := range rows {
		if err == nil {
			err = s.row(cells(row))
		}
	}
	return c.endCSV(s, err)
}

// csvFile is a CSV file being sent.
type csvFile struct {
	stream *stream
	buf    bytes.Buffer
}

func (c *call) beginCSV(name string, head []string) (*csvFile, error) {
	h := c.w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`.csv"`)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	c.w.WriteHeader(http.StatusOK)
	s := &csvFile{stream: &stream{w: c.w, ctl: http.NewResponseController(c.w)}}
	return s, s.row(head)
}

func (s *csvFile) row(cells []string) error {
	if s.buf.Write(csvLine(cells)); s.buf.Len() < csvBlock {
		return nil
	}
	return s.flush()
}

func (s *csvFile) flush() error {
	err := s.stream.put(s.buf.Bytes())
	s.buf.Reset()
	return err
}

// endCSV sends the rest. If the file failed midway, endCSV aborts the connection, so that the file is not mistaken
// for a complete one.
func (c *call) endCSV(s *csvFile, err error) (response, error) {
	if err == nil {
		err = s.flush()
	}
	if err != nil {
		s.stream.breakOff()
	}
	return response{streamed: true}, ignoreGone(c, err)
}

func trafficHead(prefix string) []string {
	return []string{prefix + "human", prefix + "ai", prefix + "total", prefix + "searchIndex", prefix + "training",
		prefix + "otherAi"}
}

func trafficCells(t client.Traffic) []string {
	return numbers(t.Human, t.AI, t.Total, t.SearchIndex, t.Training, t.OtherAI)
}

func numbers(list ...int64) (out []string) {
	for _, n := range list {
		out = append(out, strconv.FormatInt(n, 10))
	}
	return out
}

func summaryHead() []string {
	return append(append(append([]string{"date"}, trafficHead("views.")...), trafficHead("visitors.")...), "searches",
		"noResults", "clicks", "missing", "asks", "tries", "copies", "feedback")
}

func summaryCells(d client.DayFigures) []string {
	return append(append(append([]string{d.Date}, trafficCells(d.Views)...), trafficCells(d.Visitors)...),
		numbers(d.Searches, d.NoResults, d.Clicks, d.Missing, d.Asks, d.Tries, d.Copies, d.Feedback)...)
}

func (c *call) pagesCSV(name string, rows []client.PageTraffic, err error) (response, error) {
	if err != nil {
		return response{}, err
	}
	return sendRows(c, name, append([]string{"path"}, trafficHead("")...), rows, func(p client.PageTraffic) []string {
		return append([]string{p.Path}, numbers(p.Human, p.AI, p.Total, p.SearchIndex, p.Training, p.OtherAI)...)
	})
}

func (c *call) sendReferrers(rows []client.Referrer) (response, error) {
	return sendRows(c, "referrers", []string{"referrer", "visits"}, rows,
		func(r client.Referrer) []string { return append([]string{r.Referrer}, numbers(r.Visits)...) })
}

func (c *call) sendMissing(rows []client.MissingPage) (response, error) {
	return sendRows(c, "missing", []string{"path", "referrer", "hits", "lastSeenAt"}, rows,
		func(m client.MissingPage) []string {
			return []string{m.Path, orBlank(m.Referrer), strconv.FormatInt(m.Hits, 10),
				m.LastSeenAt.Format(time.RFC3339)}
		})
}

func (c *call) sendTries(rows []client.TriedOperation) (response, error) {
	return sendRows(c, "playground", []string{"operation", "tries", "succeeded", "refused", "failed", "lastTriedAt"},
		rows, func(t client.TriedOperation) []string {
			return append(append([]string{t.Operation}, numbers(t.Tries, t.Succeeded, t.Refused, t.Failed)...),
				t.LastTriedAt.Format(time.RFC3339))
		})
}

func (c *call) sendTerms(rows []client.SearchTerm) (response, error) {
	return sendRows(c, "searches", []string{"searchQuery", "hits", "ctr", "topClickedPage", "lastSearchedAt", "results",
		"noResults", "clicks"}, rows, func(t client.SearchTerm) []string {
		return append([]string{t.SearchQuery, strconv.FormatInt(t.Hits, 10), strconv.FormatFloat(t.CTR, 'f', 4, 64),
			orBlank(t.TopClickedPage), t.LastSearchedAt.Format(time.RFC3339)},
			numbers(t.Results, t.NoResults, t.Clicks)...)
	})
}

func orBlank(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
