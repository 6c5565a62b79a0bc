package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/jobs/notify"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/jobs/retention"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
)

// steepest is the growth exponent above which the result counts as a defect; linear growth has the exponent one.
const steepest = 1.15

// leastGrowth is the minimum cost of a step to be judged: below it, constant costs hide the growth, and processor time
// is too coarse.
const leastGrowth = 20 * time.Millisecond

// growth measures the cost of work for all projects as their number grows, and the growth exponent.
func growth(ctx context.Context, o options) error {
	url, stop, err := startPostgres(ctx)
	if err != nil {
		return err
	}
	for _, engine := range []string{"SQLite", "PostgreSQL"} {
		if err = growthOn(ctx, o, engine, url); err != nil {
			break
		}
	}
	return errors.Join(err, stop())
}

func growthOn(ctx context.Context, o options, engine, url string) error {
	var sizes []int
	all := map[string][]float64{}
	var names []string
	columns := []string{}
	for text := range strings.SplitSeq(o.projects, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("-projects: %q is not a number of projects", text)
		}
		sizes, columns = append(sizes, n), append(columns, text)
		got, err := growthAt(ctx, o, engine, url, n)
		if err != nil {
			return fmt.Errorf("%d projects: %w", n, err)
		}
		fmt.Fprintf(os.Stderr, "growth, %s: measured %d projects\n", engine, n) // the largest size takes minutes
		names = names[:0]
		for _, f := range got {
			names = append(names, f.name)
			all[f.name] = append(all[f.name], f.value)
		}
	}
	heading("growth, "+engine+", by projects", append(columns, "exponent")...)
	for _, name := range names {
		values := all[name]
		last := len(values) - 1
		fmt.Printf("%-44s", name)
		for _, v := range values {
			fmt.Printf(" %13.2f", v)
		}
		verdict := "-"
		if last > 0 && (strings.Contains(name, "(ms)") && values[last] >= ms(leastGrowth) || !strings.Contains(name, "(ms)")) && values[last-1] > 0 {
			e := math.Log(values[last]/values[last-1]) / math.Log(float64(sizes[last])/float64(sizes[last-1]))
			if verdict = fmt.Sprintf("%.2f", e); e > steepest {
				verdict += " DEFECT"
			}
		}
		fmt.Printf(" %13s\n", verdict)
	}
	return nil
}

type figure struct {
	name  string
	value float64
}

// growthAt measures one size.
func growthAt(ctx context.Context, o options, engine, url string, projects int) (out []figure, err error) {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	database := filepath.Join(dir, "lectern.db")
	if engine == "PostgreSQL" {
		if database, err = newDatabase(ctx, url, fmt.Sprintf("growth_%d", projects)); err != nil {
			return nil, err
		}
	}
	s, err := store.Open(ctx, store.Options{URL: database, Now: time.Now, IDs: id.Source{Rand: rand.Reader},
		Wake: func(context.Context, any, task.Lane) error { return nil }})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := s.Migrate(ctx); err != nil {
		return nil, err
	}
	source := &snapshot.Fetcher{BuiltIn: fstest.MapFS{"index.mdx": {Data: []byte("# T")}}}
	head, err := source.Head(ctx, project.Project{Source: project.Source{Repository: snapshot.BuiltIn}})
	if err != nil {
		return nil, err
	}
	if err := seedGrowth(ctx, s, projects, head); err != nil {
		return nil, err
	}
	if o.binary != "" {
		if out, err = grownServer(ctx, o, engine, database, dir); err != nil {
			return nil, err
		}
	}
	blobs, err := newGrownBlobs(projects)
	if err != nil {
		return nil, err
	}
	quiet := slog.New(slog.DiscardHandler)
	sweeper := &retention.Sweeper{Store: s, Blob: blobs, Keep: store.Keep{Productions: grownDeployments, Failures: grownDeployments,
		Previews: 30 * 24 * time.Hour}, Now: time.Now, Logger: quiet}
	poller := &publish.Poller{Store: s, Source: source, Every: time.Minute, Now: time.Now, Logger: quiet}
	alerts := &notify.Alerts{Store: s, Rules: []notify.Rule{notify.Builds(s, time.Now), notify.Endpoints(s)}, Logger: quiet}
	for _, step := range []struct {
		name  string
		times int // number of repetitions; the reported cost is for one
		run   func() error
	}{
		{"first sweep (ms)", 1, func() error { return sweeper.Sweep(ctx) }},
		{"later sweep (ms)", 1, func() error { return sweeper.Sweep(ctx) }},
		{"poll round (ms)", 1, func() error { return poller.Poll(ctx) }},
		{"poll round, nothing due (ms)", 1, func() error { return poller.Poll(ctx) }},
		{"first alert round (ms)", 1, func() error { return alerts.Check(ctx) }},
		{"later alert round (ms)", 1, func() error { return alerts.Check(ctx) }},
		{"1,000 status polls, in the store (ms)", 1, func() error { return statusPolls(ctx, s) }},
		{"listing the files of a backup (ms)", 1, func() error { _, err := s.ListStored(ctx); return err }},
		{"queueing a task for each project (ms)", 1, func() error { return seedBacklog(ctx, s, projects) }},
		{"listing tasks and taking one (ms)", 1, func() error { return takeSome(ctx, s, 1) }},
		{"taking a task for each project, from 20 (ms)", projects, func() error { return takeSome(ctx, s, min(projects-1, 20)) }},
	} {
		spent, err := spentOn(ctx, s, step.run)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		if step.times > 1 {
			spent = spent * time.Duration(step.times) / time.Duration(min(step.times-1, 20))
		}
		out = append(out, figure{step.name, ms(spent)})
		if strings.Contains(step.name, " sweep") {
			out = append(out, figure{strings.Replace(step.name, "(ms)", "reads (MB)", 1), float64(blobs.read) / 1e6})
			blobs.read = 0
		}
	}
	return out, nil
}

// spentOn returns the processor time used by this process and the database server.
func spentOn(ctx context.Context, s *store.Store, work func() error) (time.Duration, error) {
	before, err := databaseTime(ctx, s)
	if err != nil {
		return 0, err
	}
	own := processorTime()
	if err := work(); err != nil {
		return 0, err
	}
	own = processorTime() - own
	after, err := databaseTime(ctx, s)
	return own + after - before, err
}

// databaseTime returns the processor time that the processes of a local PostgreSQL server have used so far, excluding
// closed connections.
func databaseTime(ctx context.Context, s *store.Store) (sum time.Duration, err error) {
	pool := s.Postgres()
	if pool == nil {
		return 0, nil
	}
	found, err := pool.Query(ctx, `SELECT pid FROM pg_stat_activity`)
	if err != nil {
		return 0, err
	}
	defer found.Close()
	for found.Next() {
		var pid int
		if err := found.Scan(&pid); err != nil {
			return 0, err
		}
		if used, err := runTimeOf(pid); err == nil { // may have exited
			sum += used
		}
	}
	return sum, found.Err()
}

// statusPolls does the store's work for a thousand polls, with keys of all organizations.
func statusPolls(ctx context.Context, s *store.Store) error {
	for range 1000 {
		if _, err := s.FindPrincipal(ctx, "hash_1"); err != nil {
			return err
		}
		if _, err := s.FindExport(ctx, "org_1", "se_1_1"); err != nil {
			return err
		}
	}
	return nil
}

// takeSome takes tasks like a worker.
func takeSome(ctx context.Context, s *store.Store, count int) error {
	for range count {
		if _, ok, err := s.TakeTask(ctx, "bench", time.Hour, false); err != nil || !ok {
			return errors.Join(err, fmt.Errorf("task taken: %t", ok))
		}
	}
	return nil
}

func newDatabase(ctx context.Context, url, name string) (string, error) {
	s, err := store.Open(ctx, store.Options{URL: url, Now: time.Now})
	if err != nil {
		return "", err
	}
	err = rawSQL(ctx, s, `CREATE DATABASE `+name)
	return strings.Replace(url, "/postgres?", "/"+name+"?", 1), errors.Join(err, s.Close())
}

// grownServer starts the program with the seeded database, without its periodic work.
func grownServer(ctx context.Context, o options, engine, database, dir string) ([]figure, error) {
	p, _, err := start(ctx, "/readyz", func(address string) *exec.Cmd {
		args := []string{"serve", "--data", dir, "--listen", address, "--metrics-listen", "off", "--rate-limit", "0",
			"--log-level", "error", "--first-site", "off", "--git-poll-interval", "0"}
		if engine == "PostgreSQL" {
			args = append(args, "--database", database)
		}
		return exec.CommandContext(ctx, o.binary, args...)
	})
	if err != nil {
		return nil, err
	}
	used, errTime := runTimeOf(p.cmd.Process.Pid)
	memory, errMemory := p.idleMemory()
	return []figure{{"start until ready, with every site to rebuild (ms)", ms(used)}, {"resident memory after 5 s (MiB)", mib(uint64(memory))}},
		errors.Join(errTime, errMemory, p.stop())
}
