package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// readDomain is the site's domain on the running server.
const readDomain = "bench.example.com"

// rival is a server to compare.
type rival struct {
	name string
	*process
	host   string   // host name of the site; "" = any
	header []string // sent with each request
}

// serving measures requests for one site: from the running server, a bundle server, and nginx with the same files.
func serving(ctx context.Context, o options) (err error) {
	dir, err := os.MkdirTemp("", "lectern-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()     // a temporary folder
	if err := os.Chmod(dir, 0o755); err != nil { // nginx's workers run as another user
		return err
	}
	rivals, err := startRivals(ctx, o.binary, dir)
	defer func() {
		for _, r := range rivals {
			err = errors.Join(err, r.stop())
		}
	}()
	if err != nil {
		return err
	}
	for _, connections := range []int{1, 32, 256} {
		heading(fmt.Sprintf("readers, %d at once", connections), "1/s", "nginx 1/s", "ratio", "p50 µs", "p99 µs",
			"nginx p50", "p99 µs", "CPU µs", "nginx", "ratio")
		for _, c := range readCases() {
			if err := compare(c, rivals, connections, o.length/5); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	return protected(ctx, o, rivals[0], filepath.Join(dir, "source"), filepath.Join(dir, "data"))
}

// readCase is one kind of request.
type readCase struct {
	name, path string
	packed     bool
	known      bool // the reader already has the current version
}

func readCases() []readCase {
	return []readCase{
		{"page of 4 kB, gzip", "/small", true, false}, {"page of 4 kB, identity", "/small", false, false},
		{"page of 4 kB, unchanged (304)", "/small", true, true},
		{"page of 30 kB, gzip", "/middle", true, false}, {"page of 30 kB, identity", "/middle", false, false},
		{"file of 1 MB, gzip", "/large.csv", true, false}, {"file of 1 MB, identity", "/large.csv", false, false},
	}
}

// turns is how often each server is loaded per figure. The servers take turns, and the best result counts, since other
// work on the machine only makes it worse.
const turns = 3

// spent is the result of a load test, with the processor time per request.
type spent struct {
	result
	each time.Duration
	size int64
}

// compare loads all servers with one kind of request, and prints ours next to the last, which is nginx.
func compare(c readCase, rivals []rival, connections int, length time.Duration) error {
	best := make([]spent, len(rivals))
	for range turns {
		for i, r := range rivals {
			got, err := r.read(c, connections, length)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			if got.perSecond > best[i].perSecond {
				best[i].result, best[i].size = got.result, got.size
			}
			if best[i].each == 0 || got.each < best[i].each {
				best[i].each = got.each
			}
		}
	}
	other := best[len(best)-1]
	for i, ours := range best[:len(best)-1] {
		fmt.Printf("%-44s %14.0f %14.0f %9.2f %9.0f %9.0f %9.0f %9.0f %9.1f %9.1f %9.2f\n",
			fmt.Sprintf("%s: %s", rivals[i].name, c.name), ours.perSecond, other.perSecond,
			ours.perSecond/other.perSecond, micro(ours.p50), micro(ours.p99), micro(other.p50), micro(other.p99),
			micro(ours.each), micro(other.each), float64(other.each)/float64(ours.each))
	}
	return nil
}

func (r rival) read(c readCase, connections int, length time.Duration) (out spent, err error) {
	q := request{address: r.address, host: r.host, path: c.path, want: http.StatusOK, header: slices.Clone(r.header)}
	if c.packed {
		q.header = append(q.header, "Accept-Encoding: gzip")
	}
	first, err := once(q)
	if err != nil || first.status != q.want {
		return out, errors.Join(err, fmt.Errorf("answered %d", first.status))
	}
	if out.size = first.body; c.known {
		q.header, q.want = append(q.header, "If-None-Match: "+first.etag), http.StatusNotModified
	}
	size := out.size
	out, err = r.spend(q, connections, length, 0)
	out.size = size
	return out, err
}

// spend loads a server and returns the processor time that it used.
func (p *process) spend(q request, connections int, length, pace time.Duration) (out spent, err error) {
	before, err := processorTimeOf(p.cmd.Process.Pid)
	if err != nil {
		return out, err
	}
	if out.result, err = storm(q, connections, length, pace); err != nil {
		return out, err
	}
	after, err := processorTimeOf(p.cmd.Process.Pid)
	out.each = (after - before) / time.Duration(out.requests)
	return out, err
}

// tick is the system's unit of processor time.
const tick = time.Second / 100

// processorTimeOf returns the processor time of a process and its children.
func processorTimeOf(pid int) (sum time.Duration, err error) {
	for _, one := range family(pid) {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", one))
		if err != nil {
			return 0, err
		}
		// the name may contain any character
		fields := strings.Fields(string(raw[strings.LastIndexByte(string(raw), ')')+1:]))
		for _, field := range fields[11:13] {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil {
				return 0, err
			}
			sum += time.Duration(n) * tick
		}
	}
	return sum, nil
}

// startRivals writes the site and starts all servers. It returns those that started even if there is an error.
func startRivals(ctx context.Context, binary, dir string) (out []rival, err error) {
	source, folder, archive := filepath.Join(dir, "source"), filepath.Join(dir, "folder"),
		filepath.Join(dir, "site.tar.gz")
	if err := writeReadSite(source); err != nil {
		return nil, err
	}
	for _, to := range []string{folder, archive} {
		if text, err := exec.CommandContext(ctx, binary, "export", source, "--out", to).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("export: %w: %s", err, text)
		}
	}
	if err := packFolder(folder); err != nil {
		return nil, err
	}
	live, _, err := startLectern(ctx, binary, filepath.Join(dir, "data"))
	if err != nil {
		return nil, err
	}
	out = append(out, rival{"server", live, readDomain, nil})
	key, err := makeKey(ctx, binary, filepath.Join(dir, "data"))
	if err == nil {
		err = publishTo(ctx, live.url, key, source)
	}
	if err != nil {
		return out, err
	}
	kept, _, err := start(ctx, "/readyz", func(address string) *exec.Cmd {
		return exec.CommandContext(ctx, binary, "serve-bundle", "--source", archive, "--data",
			filepath.Join(dir, "bundles"), "--listen", address)
	})
	if err != nil {
		return out, err
	}
	out = append(out, rival{"bundle", kept, "", nil})
	program, err := buildBare(ctx, dir)
	if err != nil {
		return out, err
	}
	headers, err := headerFlags(ctx, live.url+"/small", readDomain, "")
	if err != nil {
		return out, err
	}
	for _, c := range []struct {
		name  string
		flags []string
	}{{"bare net/http", nil}, {"… with our headers", headers}} {
		bare, _, err := start(ctx, "/small", func(address string) *exec.Cmd {
			return exec.CommandContext(ctx, program, append(c.flags, "-address", address, "-folder", folder)...)
		})
		if err != nil {
			return out, err
		}
		out = append(out, rival{c.name, bare, "", nil})
	}
	other, _, err := startNginx(ctx, dir, folder)
	if err != nil {
		return out, fmt.Errorf("nginx: %w", err)
	}
	return append(out, rival{"nginx", other, "", nil}), nil
}

// publishTo publishes the folder as a site of the running server, and waits until it is live.
func publishTo(ctx context.Context, url, key, source string) error {
	c, err := client.New(url, key)
	if err != nil {
		return err
	}
	p, err := c.CreateProject(ctx,
		client.CreateProject{Name: "Bench", Domain: readDomain, Source: client.SourceInput{Path: source}})
	if err != nil {
		return err
	}
	if p.LastUpdate == nil {
		return errors.New("the project has no first update")
	}
	_, err = c.WaitUpdate(ctx, p.LastUpdate.StatusID, nil)
	return err
}

// writeReadSite writes pages that become HTML of about 4 and 30 kB, and a text of 1 MB.
func writeReadSite(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	words := func(paragraphs int) string {
		var b strings.Builder
		for i := range paragraphs {
			fmt.Fprintf(&b, "Paragraph %d tells of %d things, of which %d are told of elsewhere.\n\n", i, i*7919%1000,
				i*104729%100000)
		}
		return b.String()
	}
	var table strings.Builder
	for i := 0; table.Len() < 1<<20; i++ {
		fmt.Fprintf(&table, "%d,%d,%x,row %d\n", i, i*7919%100003, uint32(i)*2654435761, i*31%977)
	}
	for name, text := range map[string]string{
		"docs.json": `{"name": "Bench", "navigation": {"pages": ["index", "small", "middle"]}}`,
		"index.mdx": "---\ntitle: Start\n---\n\nWords.\n", "small.mdx": "---\ntitle: Small\n---\n\n" + words(6),
		"middle.mdx": "---\ntitle: Middle\n---\n\n" + words(360),
		"large.csv":  table.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// packFolder writes compressed files next to a folder's files, for nginx.
func packFolder(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		out, err := os.Create(name + ".gz")
		if err != nil {
			return err
		}
		gz := gzip.NewWriter(out)
		_, err = gz.Write(data)
		return errors.Join(err, gz.Close(), out.Close())
	})
}
