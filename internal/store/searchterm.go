package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// ListTerms returns search terms, most frequent first, and the total number of searches. A cursor is the position
// after a term.
func (r reads) ListTerms(ctx context.Context, projectID string, s audience.Span, p Page) (list []audience.Term,
	total int64, next string, err error) {
	n, query, err := termPlace(p.Cursor)
	if err != nil {
		return nil, 0, "", err
	}
	list, err = collect(ctx, r.q, scanTerm,
		`SELECT query, `+sumOf("n", "no_results", "clicks")+`, MAX(last_at) FROM audience_searches`+inSpan+
			`GROUP BY query HAVING SUM(n) > 0 AND (SUM(n) < $4 OR SUM(n) = $4 AND query > $5) ORDER BY 2 DESC, query LIMIT $6`,
		projectID, int64(s.From), int64(s.To), n, query, p.Limit+1)
	if err != nil {
		return nil, 0, "", wrap("list searches", err)
	}
	if len(list) > p.Limit {
		list = list[:p.Limit]
		last := list[p.Limit-1]
		next = base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d.%s", last.Searches, last.Query))
	}
	for i := range list {
		if err := r.completeTerm(ctx, projectID, s, &list[i]); err != nil {
			return nil, 0, "", err
		}
	}
	total, err = r.totalOf(ctx, projectID, s, "searches")
	return list, total, next, err
}

func scanTerm(s scanner) (t audience.Term, err error) {
	var last int64
	err = s.Scan(&t.Query, &t.Searches, &t.NoResults, &t.Clicks, &last)
	t.LastSearched = fromMicros(last)
	return t, err
}

// completeTerm adds the number of hits for the latest search, and the results that were opened most often.
func (r reads) completeTerm(ctx context.Context, projectID string, s audience.Span, t *audience.Term) (err error) {
	t.Hits, err = single(ctx, r.q, value[int64],
		`SELECT hits FROM audience_searches WHERE project_id = $1 AND day = $2 AND query = $3`,
		projectID, int64(audience.DayOf(t.LastSearched)), t.Query)
	if err != nil && !errors.Is(err, errNone) {
		return wrap("find search", err)
	}
	if t.Clicks == 0 {
		return nil
	}
	t.TopPage, err = single(ctx, r.q, value[string],
		`SELECT target FROM audience_clicks WHERE project_id = $1 AND query = $2 AND day >= $3 AND day < $4
		GROUP BY target ORDER BY SUM(n) DESC, target LIMIT 1`, projectID, t.Query, int64(s.From), int64(s.To))
	if errors.Is(err, errNone) {
		return nil
	}
	return wrap("find clicked pages", err)
}

// termPlace decodes a cursor. An empty cursor is the position before the first term.
func termPlace(cursor string) (n int64, query string, err error) {
	if cursor == "" {
		return 1<<62 - 1, "", nil
	}
	bad := fault.New(fault.Invalid, "invalid_field", "cursor is not a value returned by a list.").WithField("cursor")
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || !utf8.Valid(raw) {
		return 0, "", bad
	}
	number, query, ok := strings.Cut(string(raw), ".")
	n, err = strconv.ParseInt(number, 10, 64)
	if !ok || err != nil || n < 1 || len(query) > audience.MaxQuery || strings.ContainsRune(query, 0) {
		return 0, "", bad
	}
	return n, query, nil
}
