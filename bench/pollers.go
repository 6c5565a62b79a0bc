package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// crowd is the number of callers that poll one job.
const crowd = 1000

// pollers measures a thousand callers that poll one export job, with both databases, compared with a bare server that
// sends the same bytes, and in the last two columns also the same headers.
func pollers(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	bare, err := buildBare(ctx, dir)
	if err != nil {
		return err
	}
	heading(fmt.Sprintf("%d pollers of one job", crowd), "1/s", "bare 1/s", "ratio", "p50 ms", "p99 ms", "bare p50",
		"p99 ms", "CPU µs", "bare", "ratio", "headers", "ratio")
	if err := pollOn(ctx, o, bare, filepath.Join(dir, "sqlite"), "SQLite", ""); err != nil {
		return fmt.Errorf("on SQLite: %w", err)
	}
	url, stop, err := startPostgres(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(pollOn(ctx, o, bare, filepath.Join(dir, "postgres"), "PostgreSQL", url), stop()); err != nil {
		return fmt.Errorf("on PostgreSQL: %w", err)
	}
	return nil
}

// pollOn polls a job on a server with a database, alternating with the bare server.
func pollOn(ctx context.Context, o options, bareBinary, dir, engine, database string) (err error) {
	ours, _, err := start(ctx, "/readyz", func(address string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, o.binary, "serve", "--data", dir, "--listen", address, "--metrics-listen",
			"off", "--rate-limit", "0", "--log-level", "error")
		cmd.Env = append(cmd.Environ(), "LECTERN_DATABASE="+database)
		return cmd
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ours.stop()) }()
	key, err := makeKeyIn(ctx, o.binary, dir, "LECTERN_DATABASE="+database)
	if err != nil {
		return err
	}
	source := dir + "-source"
	if err := writeReadSite(source); err != nil {
		return err
	}
	if err := publishTo(ctx, ours.url, key, source); err != nil {
		return err
	}
	jobID, err := exportSite(ctx, ours.url, key, readDomain)
	if err != nil {
		return err
	}
	path := "/v1/static-export/jobs/" + jobID
	body, err := fetch(ours.url+path, key)
	if err != nil {
		return err
	}
	other, _, err := startBare(ctx, bareBinary, body)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, other.stop()) }()
	headers, err := headerFlags(ctx, ours.url+path, "", key)
	if err != nil {
		return err
	}
	same, _, err := startBare(ctx, bareBinary, body, headers...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, same.stop()) }()
	for _, c := range []pollCase{{"full responses, as fast as possible", false, 0},
		{"unchanged (304), as fast as possible", true, 0}, {"full responses, each once a second", false, time.Second},
		{"unchanged (304), each once a second", true, time.Second}} {
		best := make([]spent, 3)
		for range turns {
			for i, p := range []*process{ours, other, same} {
				if err := best[i].better(p, path, key, c, o); err != nil {
					return err
				}
			}
		}
		name := engine + ": " + c.name
		a, b := best[0], best[1]
		fmt.Printf("%-44s %14.0f %14.0f %9.2f %9.1f %9.1f %9.1f %9.1f %9.1f %9.1f %9.2f %9.1f %9.2f\n", name, a.perSecond,
			b.perSecond, a.perSecond/b.perSecond, ms(a.p50), ms(a.p99), ms(b.p50), ms(b.p99),
			micro(a.each), micro(b.each), float64(b.each)/float64(a.each),
			micro(best[2].each), float64(best[2].each)/float64(a.each))
	}
	return nil
}

// pollCase is one kind of polling.
type pollCase struct {
	name  string
	known bool          // callers already have the current response
	pace  time.Duration // interval between a caller's polls, as requested by the server; 0 = none
}

// better loads a server again, and keeps the better figures.
func (s *spent) better(p *process, path, key string, c pollCase, o options) error {
	q := request{address: p.address, path: path, header: []string{"Authorization: Bearer " + key}, want: http.StatusOK}
	if c.known {
		r, err := once(q)
		if err != nil {
			return err
		}
		q.header, q.want = append(q.header, "If-None-Match: "+r.etag), http.StatusNotModified
	}
	got, err := p.spend(q, crowd, o.length/2+c.pace, c.pace)
	if err != nil {
		return err
	}
	if got.perSecond > s.perSecond && c.pace == 0 || s.p99 == 0 || got.p99 < s.p99 && c.pace > 0 {
		s.result = got.result
	}
	if s.each == 0 || got.each < s.each {
		s.each = got.each
	}
	return nil
}
