package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// Some selects a range of a list that is sorted by size.
type Some struct{ Limit, Offset int }

// sumOf returns a SUM expression for each column. The cast is necessary because PostgreSQL returns the sum of a BIGINT
// column as NUMERIC.
func sumOf(columns ...string) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		parts[i] = "CAST(COALESCE(SUM(" + c + "), 0) AS BIGINT)"
	}
	return strings.Join(parts, ", ")
}

const inSpan = ` WHERE project_id = $1 AND day >= $2 AND day < $3 `

// ListDays returns the counts of every day that has counts, oldest first.
func (r reads) ListDays(ctx context.Context, projectID string, s audience.Span) ([]audience.DayFigures, error) {
	list, err := collect(ctx, r.q, scanDay, `SELECT day, `+strings.Join(dayCounts.sums, ", ")+` FROM audience_days`+
		inSpan+`ORDER BY day`, projectID, int64(s.From), int64(s.To))
	return list, wrap("list days", err)
}

func scanDay(s scanner) (d audience.DayFigures, err error) {
	f := &d.Figures
	into := []any{&d.Day}
	for i := range f.Views {
		into = append(into, &f.Views[i])
	}
	for i := range f.Visitors {
		into = append(into, &f.Visitors[i])
	}
	err = s.Scan(append(into, &f.Searches, &f.NoResults, &f.Clicks, &f.Missing, &f.Asks, &f.Tries, &f.Copies,
		&f.Suggestions)...)
	return d, err
}

// ListPageViews returns view counts per page, most viewed first. Pages are sorted by views by people and AI programs,
// and then by views by search engines.
func (r reads) ListPageViews(ctx context.Context, projectID string, s audience.Span, some Some) ([]audience.PageTraffic,
	error) {
	return r.listPages(ctx, projectID, s, some, trafficColumns)
}

// ListPageVisitors returns visitor counts per page. A reader who visits on two days counts twice.
func (r reads) ListPageVisitors(ctx context.Context, projectID string, s audience.Span,
	some Some) ([]audience.PageTraffic, error) {
	return r.listPages(ctx, projectID, s, some, visitorColumns)
}

func (r reads) listPages(ctx context.Context, projectID string, s audience.Span, some Some,
	c []string) ([]audience.PageTraffic, error) {
	text := fmt.Sprintf(
		`SELECT path, %s FROM audience_pages%sGROUP BY path ORDER BY SUM(%s + %s + %s + %s) DESC, SUM(%s) DESC, path LIMIT $4 OFFSET $5`,
		sumOf(c...), inSpan, c[0], c[1], c[3], c[4], c[2])
	list, err := collect(ctx, r.q, func(s scanner) (p audience.PageTraffic, err error) {
		t := &p.Traffic
		err = s.Scan(&p.Path, &t[0], &t[1], &t[2], &t[3], &t[4])
		return p, err
	}, text, projectID, int64(s.From), int64(s.To), some.Limit, some.Offset)
	return list, wrap("list pages", err)
}

// ListReferrers returns the hosts that referred readers to the site, most frequent first, and the total number of
// referrals.
func (r reads) ListReferrers(ctx context.Context, projectID string, s audience.Span, some Some) (list []audience.Source,
	total int64, err error) {
	list, err = collect(ctx, r.q, func(s scanner) (h audience.Source, err error) {
		err = s.Scan(&h.Host, &h.N)
		return h, err
	}, `SELECT host, `+sumOf("n")+` FROM audience_referrers`+inSpan+
		`GROUP BY host ORDER BY 2 DESC, host LIMIT $4 OFFSET $5`, projectID, int64(s.From), int64(s.To), some.Limit,
		some.Offset)
	if err != nil {
		return nil, 0, wrap("list referrers", err)
	}
	total, err = single(ctx, r.q, value[int64], `SELECT `+sumOf("n")+` FROM audience_referrers`+inSpan, projectID,
		int64(s.From), int64(s.To))
	return list, total, wrap("count referrers", err)
}

// ListMissing returns the requested addresses that do not exist, most requested first, and the total number of such
// requests.
func (r reads) ListMissing(ctx context.Context, projectID string, s audience.Span, some Some) (list []audience.Miss,
	total int64, err error) {
	list, err = collect(ctx, r.q, func(s scanner) (m audience.Miss, err error) {
		var last int64
		err = s.Scan(&m.Path, &m.Referrer, &m.N, &last)
		m.Last = fromMicros(last)
		return m, err
	}, `SELECT path, referrer, `+sumOf("n")+`, MAX(last_at) FROM audience_missing`+inSpan+
		`GROUP BY path, referrer ORDER BY 3 DESC, path, referrer LIMIT $4 OFFSET $5`,
		projectID, int64(s.From), int64(s.To), some.Limit, some.Offset)
	if err != nil {
		return nil, 0, wrap("list missing pages", err)
	}
	total, err = r.totalOf(ctx, projectID, s, "missing")
	return list, total, err
}

// ListTries returns the operations that readers tried in the playground, most tried first, and the total number of
// tries.
func (r reads) ListTries(ctx context.Context, projectID string, s audience.Span, some Some) (list []audience.Trial,
	total int64, err error) {
	list, err = collect(ctx, r.q, func(s scanner) (t audience.Trial, err error) {
		var last int64
		err = s.Scan(&t.Operation, &t.N, &t.Succeeded, &t.Refused, &t.Failed, &last)
		t.Last = fromMicros(last)
		return t, err
	}, `SELECT operation, `+sumOf("n", "succeeded", "refused", "failed")+`, MAX(last_at) FROM audience_tries`+inSpan+
		`GROUP BY operation ORDER BY 2 DESC, operation LIMIT $4 OFFSET $5`,
		projectID, int64(s.From), int64(s.To), some.Limit, some.Offset)
	if err != nil {
		return nil, 0, wrap("list tries", err)
	}
	total, err = r.totalOf(ctx, projectID, s, "tries")
	return list, total, err
}

// totalOf returns the sum of a column over a project's days.
func (r reads) totalOf(ctx context.Context, projectID string, s audience.Span, column string) (int64, error) {
	n, err := single(ctx, r.q, value[int64], `SELECT `+sumOf(column)+` FROM audience_days`+inSpan, projectID,
		int64(s.From), int64(s.To))
	return n, wrap("count "+column, err)
}
