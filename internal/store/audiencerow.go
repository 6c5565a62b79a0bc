package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/audience"
)

// counts describes a table of counts by project and day.
type counts struct {
	table string
	key   string   // primary key columns, in order
	keys  []string // columns that identify a row within a day
	sums  []string // columns that are added up
	last  []string // columns that keep the latest value; the first one is the time of that value
	max   int      // maximum number of rows per project and day; 0 = no limit
}

// countRow is a row in such a table, without project and day.
type countRow struct {
	keys       []string
	sums, last []int64
}

var (
	dayCounts = counts{table: "audience_days", key: "project_id, day",
		sums: append(slices.Concat(trafficColumns, visitorColumns),
			"searches", "no_results", "clicks", "missing", "asks", "tries", "copies", "suggestions")}
	pageCounts = counts{table: "audience_pages", key: "project_id, day, path", keys: []string{"path"},
		sums: slices.Concat(trafficColumns, visitorColumns), max: maxPaths}
	referrerCounts = counts{table: "audience_referrers", key: "project_id, day, host", keys: []string{"host"},
		sums: []string{"n"}, max: maxOthers}
	searchCounts = counts{table: "audience_searches", key: "project_id, day, query", keys: []string{"query"},
		sums: []string{"n", "no_results", "clicks"}, last: []string{"last_at", "hits"}, max: maxTerms}
	clickCounts = counts{table: "audience_clicks", key: "project_id, query, day, target",
		keys: []string{"query", "target"}, sums: []string{"n"}, max: maxTerms}
	missingCounts = counts{table: "audience_missing", key: "project_id, day, path, referrer",
		keys: []string{"path", "referrer"}, sums: []string{"n"}, last: []string{"last_at"}, max: maxMisses}
	tryCounts = counts{table: "audience_tries", key: "project_id, day, operation", keys: []string{"operation"},
		sums: []string{"n", "succeeded", "refused", "failed"}, last: []string{"last_at"}, max: maxOthers}

	trafficColumns = []string{"human", "ai", "search_index", "training", "other_ai"} // in the order of audience.Classes
	visitorColumns = []string{"human_visitors", "ai_visitors", "search_index_visitors", "training_visitors",
		"other_ai_visitors"}

	marksStatement = `INSERT INTO audience_marks (project_id, day, mark) VALUES ` +
		places(marksAtOnce, func(i int) string { return fmt.Sprintf("($1, $2, $%d)", i+3) }) +
		` ON CONFLICT DO NOTHING RETURNING mark`
)

func places(n int, place func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = place(i)
	}
	return strings.Join(parts, ", ")
}

// growWithin adds rows. It merges rows that exceed the table's limit into one. If all rows fit, it does not query the
// existing rows.
func (t *Tx) growWithin(ctx context.Context, c counts, p audience.Place, rows []countRow) error {
	if len(rows) == 0 {
		return nil
	}
	n, err := single(ctx, t.q, value[int64], `SELECT COUNT(*) FROM `+c.table+` WHERE project_id = $1 AND day = $2`,
		p.ProjectID, int64(p.Day))
	if err != nil {
		return wrap("count "+c.table, err)
	}
	if int(n)+len(rows) > c.max {
		if rows, err = t.gather(ctx, c, p, rows, c.max-int(n)); err != nil {
			return err
		}
	}
	return t.grow(ctx, c, p, rows)
}

// gather merges rows into one if they are not stored yet and do not fit within the limit.
func (t *Tx) gather(ctx context.Context, c counts, p audience.Place, rows []countRow, room int) ([]countRow, error) {
	list, err := collect(ctx, t.q, value[string], `SELECT `+strings.Join(c.keys, " || '\n' || ")+` FROM `+c.table+
		` WHERE project_id = $1 AND day = $2`, p.ProjectID, int64(p.Day))
	if err != nil {
		return nil, wrap("list "+c.table, err)
	}
	there := make(map[string]bool, len(list))
	for _, k := range list {
		there[k] = true
	}
	rest := countRow{keys: make([]string, len(c.keys)), sums: make([]int64, len(c.sums)),
		last: make([]int64, len(c.last))}
	rest.keys[0] = audience.Other
	var out []countRow
	for _, r := range rows {
		switch {
		case slices.Equal(r.keys, rest.keys): // a reader searched for exactly the word that stands for all other terms
			rest.add(r)
		case there[strings.Join(r.keys, "\n")]:
			out = append(out, r)
		case room > 1:
			room--
			out = append(out, r)
		default:
			rest.add(r)
		}
	}
	if slices.ContainsFunc(rest.sums, func(n int64) bool { return n != 0 }) {
		out = append(out, rest)
	}
	return out, nil
}

// add adds o's figures to r. It writes to r's slices, so copies of r change too.
func (r countRow) add(o countRow) {
	for i, n := range o.sums {
		r.sums[i] += n
	}
	if len(o.last) > 0 && o.last[0] >= r.last[0] {
		copy(r.last, o.last)
	}
}

// grow upserts rows, adding the new figures to existing ones. It writes rows in key order, several per statement.
func (t *Tx) grow(ctx context.Context, c counts, p audience.Place, rows []countRow) error {
	slices.SortFunc(rows, func(a, b countRow) int { return slices.Compare(a.keys, b.keys) })
	one, many := c.statement(1), ""
	if len(rows) >= rowsAtOnce {
		many = c.statement(rowsAtOnce)
	}
	for len(rows) > 0 {
		n, statement := 1, one
		if len(rows) >= rowsAtOnce {
			n, statement = rowsAtOnce, many
		}
		args := []any{p.ProjectID, int64(p.Day)}
		for _, r := range rows[:n] {
			for _, k := range r.keys {
				args = append(args, k)
			}
			for _, v := range slices.Concat(r.sums, r.last) {
				args = append(args, v)
			}
		}
		if _, err := t.q.exec(ctx, statement, args...); err != nil {
			return wrap("add to "+c.table, err)
		}
		rows = rows[n:]
	}
	return nil
}

// rowsAtOnce is the number of rows per statement. The remaining rows are written one by one, so that only two
// statements have to be prepared.
const rowsAtOnce = 32

func (c counts) statement(rows int) string {
	columns := slices.Concat(c.keys, c.sums, c.last)
	var set []string
	for _, s := range c.sums {
		set = append(set, s+" = "+c.table+"."+s+" + excluded."+s)
	}
	for _, l := range slices.Backward(c.last) { // the time goes last: other columns compare with its old value
		set = append(set,
			fmt.Sprintf("%[2]s = CASE WHEN excluded.%[3]s >= %[1]s.%[3]s THEN excluded.%[2]s ELSE %[1]s.%[2]s END",
				c.table, l, c.last[0]))
	}
	return `INSERT INTO ` + c.table + ` (project_id, day, ` + strings.Join(columns, ", ") + `) VALUES ` +
		places(rows, func(i int) string {
			return "($1, $2, " + places(len(columns),
				func(j int) string { return fmt.Sprint("$", 3+i*len(columns)+j) }) + ")"
		}) + ` ON CONFLICT (` + c.key + `) DO UPDATE SET ` + strings.Join(set, ", ")
}
