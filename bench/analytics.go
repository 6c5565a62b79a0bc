package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/eventcount"
	"github.com/lectern-docs/lectern/internal/store"
)

const (
	tallied      = 200_000    // events per run
	talliedBlock = 10_000     // events per write, about one second on a busy server
	pastEvents   = 10_000_000 // number of stored events for queries
	pastDays     = 90
	pastPages    = 2_000
	pastTerms    = 2_000
)

// analyticsPart measures how many events are counted and stored per second, compared with plain rows of the same
// events, and the duration of the API's queries over ten million events.
func analyticsPart(ctx context.Context, o options) error {
	if err := beacons(ctx, o); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	url, stop, err := startPostgres(ctx)
	if err != nil {
		return err
	}
	for _, e := range []struct{ name, url string }{{"SQLite", filepath.Join(dir, "ledger.db")}, {"PostgreSQL", url}} {
		if err = analyticsOn(ctx, e.name, e.url); err != nil {
			break
		}
	}
	return errors.Join(err, stop())
}

// ledgerWith opens a new database with projects.
func ledgerWith(ctx context.Context, url string, projects int) (s *store.Store, ids []string, err error) {
	if s, err = store.Open(ctx, store.Options{URL: url, Now: time.Now, IDs: id.Source{Rand: rand.Reader}}); err != nil {
		return nil, nil, err
	}
	if _, err = s.Migrate(ctx); err != nil {
		return s, nil, err
	}
	err = s.Tx(ctx, func(t *store.Tx) error {
		org, err := t.CreateOrganization(ctx, "bench", account.PlanPro)
		for range projects {
			if err == nil {
				var p project.Project
				p, err = t.CreateProject(ctx,
					project.Project{OrganizationID: org.ID, Name: "bench", Source: project.Source{Path: "/nowhere"}})
				ids = append(ids, p.ID)
			}
		}
		return err
	})
	return s, ids, err
}

func analyticsOn(ctx context.Context, engine, url string) error {
	s, ids, err := ledgerWith(ctx, url, 2)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // errors do not matter at the end
	ours, err := ingest(ctx, s, ids[0])
	if err != nil {
		return err
	}
	bare, err := ingestPlain(ctx, s, ids[0])
	if err != nil {
		return err
	}
	heading("events stored a second ("+engine+")", "ours", "plain rows", "ratio")
	row(fmt.Sprintf("%d events, %d in one write", tallied, talliedBlock), ours, bare)
	if err := past(ctx, s, ids[1]); err != nil {
		return err
	}
	return queries(ctx, engine, s, ids[1])
}

// randomEvent returns a typical event: mostly views, by some thousand visitors.
func randomEvent(r *mathrand.Rand, projectID string, at time.Time, visitors int) audience.Event {
	page := func() string { return fmt.Sprintf("/guides/page-%d", int(float64(pastPages)*r.Float64()*r.Float64())) }
	e := audience.Event{ProjectID: projectID, At: at, Kind: audience.View, Class: audience.Human, Path: page()}
	if visitors > 0 {
		n := r.IntN(visitors)
		e.Visitor = [8]byte{1, byte(n), byte(n >> 8), byte(n >> 16)}
	}
	switch n := r.IntN(100); {
	case n < 20:
		e.Class = audience.Classes()[1+r.IntN(4)]
	case n < 30:
		e.Referrer = fmt.Sprintf("site-%d.example", r.IntN(300))
	case n < 38:
		e.Kind, e.Query, e.Hits = audience.Search,
			fmt.Sprintf("term %d", int(float64(pastTerms)*r.Float64()*r.Float64())), r.IntN(8)
	case n < 41:
		e.Kind, e.Query, e.Target = audience.Click, fmt.Sprintf("term %d", r.IntN(pastTerms)), page()
	case n < 43:
		e.Kind, e.Target, e.Status = audience.Try, fmt.Sprintf("GET /things/%d", r.IntN(200)), 200+100*r.IntN(4)
	case n < 44:
		e.Kind, e.Path = audience.Missing, fmt.Sprintf("/old/%d", r.IntN(500))
	}
	return e
}

// ingest returns how many events per second the counter processes and stores.
func ingest(ctx context.Context, s *store.Store, projectID string) (float64, error) {
	r := mathrand.New(mathrand.NewPCG(1, 2))
	events := make([]audience.Event, tallied)
	now := time.Now()
	for i := range events {
		events[i] = randomEvent(r, projectID, now, 20_000)
	}
	lost := 0
	c := eventcount.Open(ctx, eventcount.Options{Store: s, Now: time.Now, Rand: rand.Reader,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Every: time.Hour, Keys: 1 << 20,
		Count: func(outcome string, n int) {
			if outcome == eventcount.Dropped {
				lost += n
			}
		}})
	begin := time.Now()
	for some := range slices.Chunk(events, talliedBlock) {
		for _, e := range some {
			c.Record(e)
		}
		if err := c.Flush(ctx); err != nil {
			return 0, err
		}
	}
	took := time.Since(begin)
	if err := c.Close(); err != nil || lost > 0 {
		return 0, fmt.Errorf("%d events were lost: %w", lost, err)
	}
	return tallied / took.Seconds(), nil
}

// ingestPlain writes the same number of events as rows of a table without an index, with the same number per
// transaction.
func ingestPlain(ctx context.Context, s *store.Store, projectID string) (float64, error) {
	const table,
		insert = `CREATE TABLE bench_events (project_id TEXT, at BIGINT, kind TEXT, class TEXT, path TEXT, query TEXT, visitor BIGINT)`,
		`INSERT INTO bench_events (project_id, at, kind, class, path, query, visitor) VALUES ($1, $2, $3, $4, $5, $6, $7)`
	r := mathrand.New(mathrand.NewPCG(1, 2))
	now := time.Now()
	write := func(exec func(args ...any) error) error {
		for range talliedBlock {
			e := randomEvent(r, projectID, now, 20_000)
			if err := exec(e.ProjectID, e.At.UnixMicro(), string(e.Kind), string(e.Class), e.Path, e.Query,
				int64(e.Visitor[1])); err != nil {
				return err
			}
		}
		return nil
	}
	if pool := s.Postgres(); pool != nil {
		if _, err := pool.Exec(ctx, table); err != nil {
			return 0, err
		}
	} else if _, err := s.SQLite().ExecContext(ctx, table); err != nil {
		return 0, err
	}
	begin := time.Now()
	for range tallied / talliedBlock {
		if err := plainBlock(ctx, s, insert, write); err != nil {
			return 0, err
		}
	}
	return tallied / time.Since(begin).Seconds(), nil
}

func plainBlock(ctx context.Context, s *store.Store, insert string,
	write func(exec func(args ...any) error) error) error {
	if pool := s.Postgres(); pool != nil {
		t, err := pool.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = t.Rollback(ctx) }() // does nothing after a commit
		if err := write(func(args ...any) error { _, err := t.Exec(ctx, insert, args...); return err }); err != nil {
			return err
		}
		return t.Commit(ctx)
	}
	t, err := s.SQLite().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }() // likewise
	st, err := t.PrepareContext(ctx, insert)
	if err != nil {
		return err
	}
	if err := write(func(args ...any) error { _, err := st.ExecContext(ctx, args...); return err }); err != nil {
		return err
	}
	return t.Commit()
}

// past stores ten million events of the last days, one day at a time, like the counter.
func past(ctx context.Context, s *store.Store, projectID string) error {
	r := mathrand.New(mathrand.NewPCG(3, 4))
	for day := range pastDays {
		b := audience.NewBatch(1<<24, nil)
		at := time.Now().Add(-time.Duration(day) * 24 * time.Hour)
		for range pastEvents / pastDays {
			b.Add(randomEvent(r, projectID, at, 0)) // queries do not depend on the visitor
		}
		if err := s.AddAudience(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// queries measures the API's queries, over the whole period and over a week.
func queries(ctx context.Context, engine string, s *store.Store, projectID string) error {
	all, week := audience.LastDays(time.Now(), pastDays), audience.LastDays(time.Now(), 7)
	some := store.Some{Limit: 51}
	list := []struct {
		name string
		ask  func(audience.Span) error
	}{
		{"summary", func(span audience.Span) error { _, err := s.ListDays(ctx, projectID, span); return err }},
		{"views", func(span audience.Span) error { _, err := s.ListPageViews(ctx, projectID, span, some); return err }},
		{"visitors", func(span audience.Span) error {
			_, err := s.ListPageVisitors(ctx, projectID, span, some)
			return err
		}},
		{"searches", func(span audience.Span) error {
			_, _, _, err := s.ListTerms(ctx, projectID, span, store.Page{Limit: 100})
			return err
		}},
		{"referrers", func(span audience.Span) error {
			_, _, err := s.ListReferrers(ctx, projectID, span, some)
			return err
		}},
		{"missing", func(span audience.Span) error {
			_, _, err := s.ListMissing(ctx, projectID, span, some)
			return err
		}},
		{"playground", func(span audience.Span) error {
			_, _, err := s.ListTries(ctx, projectID, span, some)
			return err
		}},
		{"feedback", func(span audience.Span) error {
			_, err := s.ListFeedbackByPage(ctx, projectID, audience.FeedbackFilter{Span: span}, 11)
			return err
		}},
	}
	heading(fmt.Sprintf("queries over %d million events (ms, %s)", pastEvents/1_000_000, engine),
		fmt.Sprint(pastDays, " days"), "7 days", "ratio")
	for _, q := range list {
		long, err := medianRun(func() error { return q.ask(all) })
		if err != nil {
			return err
		}
		short, err := medianRun(func() error { return q.ask(week) })
		if err != nil {
			return err
		}
		row(q.name, long, short)
	}
	return nil
}

// medianRun returns the median time of five runs in milliseconds, after a warm-up run.
func medianRun(work func() error) (float64, error) {
	var list []float64
	for range 6 {
		begin := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		list = append(list, float64(time.Since(begin).Microseconds())/1000)
	}
	slices.Sort(list[1:])
	return list[3], nil
}
