package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// server measures the whole program, compared with a bare net/http server that sends the same bytes.
func server(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	bare, err := buildBare(ctx, dir)
	if err != nil {
		return err
	}
	heading("server", "lectern", "bare net/http", "ratio")
	if err := startUp(ctx, o.binary, bare, o.starts); err != nil {
		return fmt.Errorf("start-up: %w", err)
	}
	return polling(ctx, o.binary, bare, o.length, o.connections)
}

// startUp measures the time from exec to the first successful readiness check, and the memory some seconds later.
func startUp(ctx context.Context, binary, bareBinary string, starts int) error {
	var first, again, bare []time.Duration
	var memory, bareMemory int64
	for i := range starts {
		dir, err := os.MkdirTemp("", "lectern-bench-")
		if err != nil {
			return err
		}
		for _, times := range []*[]time.Duration{&first, &again} {
			p, took, err := startLectern(ctx, binary, dir)
			if err != nil {
				return err
			}
			*times = append(*times, took)
			if i == starts-1 && times == &again {
				memory, err = p.idleMemory()
			}
			if err := errors.Join(err, p.stop()); err != nil {
				return err
			}
		}
		p, took, err := startBare(ctx, bareBinary, []byte("ok"))
		if err != nil {
			return err
		}
		bare = append(bare, took)
		if i == starts-1 {
			bareMemory, err = p.idleMemory()
		}
		if err := errors.Join(err, p.stop(), os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	row("first start, ready after (ms)", ms(median(first)), ms(median(bare)))
	row("later start, ready after (ms)", ms(median(again)), ms(median(bare)))
	row("idle memory, RSS (MiB)", float64(memory)/(1<<20), float64(bareMemory)/(1<<20))
	return nil
}

// polling measures how many status polls the server handles per second, compared with a server that sends the same
// bytes.
func polling(ctx context.Context, binary, bareBinary string, length time.Duration, connections int) error {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	p, _, err := startLectern(ctx, binary, dir)
	if err != nil {
		return err
	}
	defer func() { _ = p.stop() }()
	key, err := makeKey(ctx, binary, dir)
	if err != nil {
		return err
	}
	jobID, err := exportSite(ctx, p.url, key, "docs.localhost")
	if err != nil {
		return err
	}
	path := "/v1/static-export/jobs/" + jobID
	body, err := fetch(p.url+path, key)
	if err != nil {
		return err
	}
	b, _, err := startBare(ctx, bareBinary, body)
	if err != nil {
		return err
	}
	defer func() { _ = b.stop() }()
	for _, etag := range []bool{false, true} {
		ours, err := pollFor(p.address, path, key, etag, connections, length)
		if err != nil {
			return err
		}
		theirs, err := pollFor(b.address, path, key, etag, connections, length)
		if err != nil {
			return err
		}
		name := "status polls"
		if etag {
			name = "status polls, unchanged (304)"
		}
		row(name+" (1/s)", ours.perSecond, theirs.perSecond)
		row(name+", p50 (µs)", micro(ours.p50), micro(theirs.p50))
		row(name+", p99 (µs)", micro(ours.p99), micro(theirs.p99))
	}
	return nil
}

func makeKey(ctx context.Context, binary, dir string) (string, error) {
	return makeKeyIn(ctx, binary, dir)
}

func makeKeyIn(ctx context.Context, binary, dir string, env ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, "keys", "create", "--data", dir)
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}

// exportSite exports a site and returns the id of the completed job.
func exportSite(ctx context.Context, url, key, domain string) (string, error) {
	c, err := client.New(url, key)
	if err != nil {
		return "", err
	}
	job, err := c.StartExport(ctx, client.StartExport{Domain: domain})
	if err != nil {
		return "", err
	}
	if _, err := c.WaitExport(ctx, job.JobID, nil); err != nil {
		return "", err
	}
	return job.JobID, nil
}
