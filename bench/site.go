package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// discard is a sink that discards everything.
type discard struct{}

func (discard) Put(context.Context, output.File) error { return nil }

// wholeSite measures a build from a folder on disk without writing the output, compared with goldmark on the same
// files.
func wholeSite(ctx context.Context, o options) error {
	n := o.pages * 5 / 2
	p, err := newPress()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	if err := writeFolder(dir, 1, n, kind{math: true}); err != nil {
		return err
	}
	heading(fmt.Sprintf("a site of %d pages", n), "pages/s", "goldmark", "time ×", "µs/page", "allocs", "KiB")
	cores := []int{1}
	if all := runtime.NumCPU(); all > 1 {
		cores = append(cores, all)
	}
	for _, c := range cores {
		name := "build, one core"
		if c > 1 {
			name = fmt.Sprintf("build, %d cores; goldmark on one", c)
		}
		if err := p.builds(ctx, o, name, dir, n, c); err != nil {
			return err
		}
	}
	return nil
}

func (p *press) builds(ctx context.Context, o options, name, dir string, n, cores int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
	rounds := max(1, o.rounds/2)
	var ours, bare []cost
	for range rounds {
		var c, d cost
		err := errors.Join(c.add(func() error { return buildSite(ctx, dir, n, nil) }),
			d.add(func() error { return p.markdown(dir) }))
		if err != nil {
			return err
		}
		ours, bare = append(ours, c), append(bare, d)
	}
	total := least(ours)
	if cores > 1 { // with several cores, wall time matters
		total.took = total.wall
	}
	line(name, total, least(bare), n)
	return nil
}

// buildSite builds a folder with new tools, like a process started for it.
func buildSite(ctx context.Context, dir string, pages int, progress func(build.Progress)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // read only
	report, err := build.Build(ctx, root.FS(), build.Options{Links: link.Relative, Manifest: true,
		Workers: runtime.GOMAXPROCS(0), Progress: progress}, discard{})
	if err != nil {
		return err
	}
	if pages > 0 && report.Pages != pages {
		return fmt.Errorf("%d of %d pages were built: %v", report.Pages, pages, report.Diagnostics)
	}
	return nil
}

// markdown reads every page of a folder and converts it.
func (p *press) markdown(dir string) error {
	src := os.DirFS(dir)
	return fs.WalkDir(src, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".mdx") {
			return err
		}
		text, err := fs.ReadFile(src, name)
		if err != nil {
			return err
		}
		if _, body, ok := bytes.Cut(text, []byte("\n---\n")); ok {
			text = body
		}
		var out bytes.Buffer
		return p.bare.Convert(text, &out)
	})
}

// memory builds a small and a large site, each in a separate process, and prints the peak memory.
func memory(ctx context.Context, o options) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	heading("memory of a build (MiB)", fmt.Sprintf("%d pages", o.large), fmt.Sprintf("%d pages", o.pages*5/2), "ratio")
	var seen [2]map[string]float64
	for i, n := range []int{o.large, o.pages * 5 / 2} {
		dir, err := os.MkdirTemp("", "lectern-bench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		if err := writeFolder(dir, 1, n, kind{math: true}); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, self, "-weigh", dir)
		cmd.Stderr = os.Stderr
		said, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("build %d pages: %w", n, err)
		}
		seen[i] = map[string]float64{}
		for text := range strings.Lines(string(said)) {
			name, value, _ := strings.Cut(strings.TrimSpace(text), "=")
			if seen[i][name], err = strconv.ParseFloat(value, 64); err != nil {
				return err
			}
		}
	}
	for _, name := range []string{"live heap at most", "heap at most", "resident at most"} {
		row(name, seen[0][name], seen[1][name])
	}
	row("seconds, all cores", seen[0]["seconds"], seen[1]["seconds"])
	return nil
}

// weighBuild builds a folder and prints the peak memory in MiB. A requested profile shows the heap after the last
// page.
func weighBuild(ctx context.Context, dir, profile string) error {
	done, most := make(chan struct{}), make(chan [2]uint64)
	go watchHeap(done, most)
	begin := time.Now()
	err := buildSite(ctx, dir, 0, func(p build.Progress) {
		if profile != "" && p.Done == p.Total && p.Done > 0 {
			heapProfile(profile)
			profile = ""
		}
	})
	took := time.Since(begin)
	close(done)
	heap := <-most
	if err != nil {
		return err
	}
	resident, err := statusOf(os.Getpid(), "VmHWM:")
	fmt.Printf("live heap at most=%f\nheap at most=%f\nresident at most=%f\nseconds=%f\n", mib(heap[0]), mib(heap[1]),
		mib(uint64(resident)), took.Seconds())
	return err
}

func heapProfile(name string) {
	f, err := os.Create(name)
	if err == nil {
		runtime.GC()
		err = errors.Join(pprof.WriteHeapProfile(f), f.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: write heap profile:", err)
	}
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

// watchHeap samples the heap every few milliseconds: the live heap at the last collection, and all objects including
// garbage.
func watchHeap(done <-chan struct{}, most chan<- [2]uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}}
	var max [2]uint64
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		metrics.Read(samples)
		for i, s := range samples {
			if v := s.Value.Uint64(); v > max[i] {
				max[i] = v
			}
		}
		select {
		case <-done:
			most <- max
			return
		case <-tick.C:
		}
	}
}
