package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/store"
)

// backlog queues tasks for many organizations, and lets a worker list them and take some.
func backlog(t *testing.T, s *store.Store, organizations, each, taken int) {
	t.Helper()
	for _, text := range []string{
		`INSERT INTO organizations (id, name, plan, created_at) SELECT 'org_' || n.i, 'o', 'pro', 0 FROM n`,
		`INSERT INTO tasks (id, kind, organization_id, state, created_at)
			SELECT 't_' || n.i || '_' || k.i, CASE WHEN n.i % 2 = 0 THEN 'deploy' ELSE 'export' END, 'org_' || n.i, 'queued', n.i FROM n, k`,
	} {
		text = fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d),
			k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < %d) `, organizations, each) + text
		if strings.Contains(text, "INSERT INTO organizations") {
			text = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ` + fmt.Sprint(organizations) + `) ` +
				text[strings.Index(text, "INSERT"):]
		}
		if err := execute(t.Context(), s, text); err != nil {
			t.Fatal(err)
		}
	}
	for range taken {
		if _, ok, err := s.TakeTask(t.Context(), "w", time.Hour, false); err != nil || !ok {
			t.Fatalf("taken: %v, %v", ok, err)
		}
	}
}

// visited adds up the rows that the steps of a query plan read, including rows that a filter removed.
func visited(plan map[string]any) (rows float64) {
	number := func(name string) float64 {
		n, _ := plan[name].(float64)
		return n
	}
	rows = (number("Actual Rows") + number("Rows Removed by Filter")) * max(1, number("Actual Loops"))
	below, _ := plan["Plans"].([]any)
	for _, one := range below {
		if p, ok := one.(map[string]any); ok {
			rows += visited(p)
		}
	}
	return rows
}

// Taking a task reads about the same number of rows when ten times as many organizations and tasks are waiting.
func TestTakeTaskCostDoesNotGrowOnPostgres(t *testing.T) {
	t.Parallel()
	read := map[int]float64{}
	for _, organizations := range []int{100, 1000} {
		s := open(t, server.Database(t))
		if _, err := s.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		backlog(t, s, organizations, 10, 10)
		if err := execute(t.Context(), s, `ANALYZE`); err != nil { // as PostgreSQL does by itself after a minute
			t.Fatal(err)
		}
		query, lane, most, exports := s.TurnsQuery()
		for text, args := range map[string][]any{query: {lane, most, exports}, store.WaitingQuery(): {time.Now().UnixMicro()}} {
			var raw []byte
			if err := s.Postgres().QueryRow(t.Context(), `EXPLAIN (ANALYZE, FORMAT JSON) `+text, args...).Scan(&raw); err != nil {
				t.Fatal(err)
			}
			var plans []struct{ Plan map[string]any }
			if err := json.Unmarshal(raw, &plans); err != nil || len(plans) != 1 {
				t.Fatalf("%s: %v", raw, err)
			}
			read[organizations] += visited(plans[0].Plan)
		}
	}
	if read[100] < 10 || read[1000] > 1.5*read[100] {
		t.Errorf("rows read with 100 and 1000 organizations: %v", read)
	}
}

// On SQLite, waiting organizations are read from an index, in order, and no table is read completely.
func TestTakeTaskReadsNoWholeTableOnSQLite(t *testing.T) {
	t.Parallel()
	s := open(t, sqliteFile(t))
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	backlog(t, s, 100, 10, 10)
	query, lane, most, exports := s.TurnsQuery()
	for _, one := range []struct {
		text, wanted string
		args         []any
	}{
		{query, "task_turns_in_order (kind=?)", []any{lane, most, exports}},
		{store.WaitingQuery(), "tasks_unlisted (kind=? AND not_before", []any{1}},
	} {
		rows, err := s.SQLite().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+one.text, one.args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&plan, detail)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan.String(), one.wanted) || strings.Contains(plan.String(), "SCAN tasks") ||
			strings.Contains(plan.String(), "SCAN t\n") || strings.Contains(plan.String(), "SCAN t USING") {
			t.Errorf("the plan of %s:\n%s", one.text, &plan)
		}
	}
}
