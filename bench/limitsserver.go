package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// siteFigures measures whole builds on one core.
func siteFigures(ctx context.Context, o options) (map[string]float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p, err := newPress()
	if err != nil {
		return nil, err
	}
	defer func() { _ = p.math.Close() }() // only frees memory
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := writeFolder(dir, 1, o.pages, kind{math: true}); err != nil {
		return nil, err
	}
	var ours, bare []cost
	for range limitRounds {
		var a, b cost
		err := errors.Join(a.add(func() error { return buildSite(ctx, dir, o.pages, nil) }),
			b.add(func() error { return p.markdown(dir) }))
		if err != nil {
			return nil, err
		}
		ours, bare = append(ours, a), append(bare, b)
	}
	return costFigures("page of a site", [][]cost{ours}, [][]cost{bare}, o.pages), nil
}

// idleTick is the interval at which the program to which idle servers are compared wakes up. idleAfter is how long
// after the last task a server has returned all memory to the system, which also uses processor time.
const (
	idleTick  = 50 * time.Millisecond
	idleAfter = 40 * time.Second
)

// serverFigures measures a server with one small site, on SQLite: first when idle, then serving a page and a poll,
// compared with bare servers.
func serverFigures(ctx context.Context, o options) (out map[string]float64, err error) {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	data, source, folder := filepath.Join(dir, "data"), filepath.Join(dir, "source"), filepath.Join(dir, "folder")
	if err := writeReadSite(source); err != nil {
		return nil, err
	}
	if text, err := exec.CommandContext(ctx, o.binary, "export", source, "--out", folder).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("export: %w: %s", err, text)
	}
	if err := packFolder(folder); err != nil {
		return nil, err
	}
	ours, _, err := start(ctx, "/readyz", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, o.binary, "serve", "--data", data, "--listen", address, "--metrics-listen",
			"off", "--rate-limit", "0", "--log-level", "error", "--first-site", "off")
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ours.stop()) }()
	key, err := makeKey(ctx, o.binary, data)
	if err != nil {
		return nil, err
	}
	if err := publishTo(ctx, ours.url, key, source); err != nil {
		return nil, err
	}
	program, err := buildBare(ctx, dir)
	if err != nil {
		return nil, err
	}
	out = map[string]float64{}
	if err := idleFigures(ctx, ours, program, out); err != nil { // first, because load leaves memory in use for minutes
		return nil, err
	}
	if out["served page: processor time / bare server's"], err = pageRatio(ctx, ours, program, folder, o); err != nil {
		return nil, err
	}
	out["status poll: processor time / bare server's"], err = pollRatio(ctx, ours, program, key, o)
	return out, err
}

// pageRatio loads a small page, with 32 connections.
func pageRatio(ctx context.Context, ours *process, program, folder string, o options) (float64, error) {
	bare, _, err := start(ctx, "/small", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, program, "-address", address, "-folder", folder)
	})
	if err != nil {
		return 0, err
	}
	var best [2]time.Duration
	for range turns {
		for i, r := range []rival{{"server", ours, readDomain, nil}, {"bare", bare, "", nil}} {
			got, err := r.read(readCase{"", "/small", true, false}, 32, o.length/5)
			if err != nil {
				return 0, errors.Join(err, bare.stop())
			}
			if best[i] == 0 || got.each < best[i] {
				best[i] = got.each
			}
		}
	}
	return float64(best[0]) / float64(best[1]), bare.stop()
}

// pollRatio polls an export that has ended, with a thousand connections.
func pollRatio(ctx context.Context, ours *process, program, key string, o options) (float64, error) {
	jobID, err := exportSite(ctx, ours.url, key, readDomain)
	if err != nil {
		return 0, err
	}
	path := "/v1/static-export/jobs/" + jobID
	body, err := fetch(ours.url+path, key)
	if err != nil {
		return 0, err
	}
	bare, _, err := startBare(ctx, program, body)
	if err != nil {
		return 0, err
	}
	var best [2]spent
	for range turns {
		for i, p := range []*process{ours, bare} {
			if err := best[i].better(p, path, key, pollCase{}, o); err != nil {
				return 0, errors.Join(err, bare.stop())
			}
		}
	}
	return float64(best[0].each) / float64(best[1].each), bare.stop()
}

// idleFigures waits until the server has returned its memory, then measures it while idle, compared with a program
// that only wakes up.
func idleFigures(ctx context.Context, ours *process, program string, out map[string]float64) error {
	bare, _, err := start(ctx, "/", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, program, "-address", address, "-tick", idleTick.String())
	})
	if err != nil {
		return err
	}
	time.Sleep(idleAfter)
	both := [2]*process{ours, bare}
	var before, after [2]time.Duration
	for i, p := range both {
		if before[i], err = runTimeOf(p.cmd.Process.Pid); err != nil {
			return errors.Join(err, bare.stop())
		}
	}
	time.Sleep(20 * time.Second)
	for i, p := range both {
		if after[i], err = runTimeOf(p.cmd.Process.Pid); err != nil {
			return errors.Join(err, bare.stop())
		}
	}
	out["idle server: processor time / that of 20 wake-ups a second"] = float64(after[0]-before[0]) /
		float64(after[1]-before[1])
	anonymous, err := statusOf(ours.cmd.Process.Pid, "RssAnon:")
	out["idle server: anonymous memory, MiB"] = mib(uint64(anonymous))
	return errors.Join(err, bare.stop())
}

// runTimeOf returns the processor time of a process's threads in nanoseconds; ticks of 10 ms are too coarse for an
// idle process.
func runTimeOf(pid int) (sum time.Duration, err error) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(threads) == 0 {
		return 0, errors.Join(err, errors.New("the system does not report the run time of threads"))
	}
	for _, name := range threads {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		ran, _, _ := strings.Cut(string(text), " ")
		n, err := strconv.ParseInt(ran, 10, 64)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n)
	}
	return sum, nil
}
