package bundlecheck

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"strings"
	"sync"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// maxText limits the size of a file that is searched for references, in bytes. inFlight limits the total size of such
// files in memory.
const (
	maxText  = 64 << 20
	inFlight = 64 << 20
	queued   = 64 // files
)

// job is a file to examine.
type job struct {
	path   string
	data   []byte // nil after it was examined
	size   int
	result chan *tally // buffered
	sum    [sha256.Size]byte
}

// pass reads the bundle. The first pass records files and references; the second one reports the positions of
// broken references.
func (c *checker) pass(ctx context.Context, second bool) error {
	workers := c.opt.Workers
	if workers <= 0 {
		workers = min(runtime.GOMAXPROCS(0), 16)
	}
	p := &pipe{jobs: make(chan *job, queued), order: make(chan *job, queued), budget: newBudget(inFlight)}
	var work, merge sync.WaitGroup
	for range workers {
		work.Go(func() {
			e := &examiner{checker: c, second: second}
			for j := range p.jobs {
				j.sum = sha256.Sum256(j.data)
				t := e.examine(j.path, j.data)
				j.data = nil
				p.budget.free(j.size)
				j.result <- t
			}
		})
	}
	merge.Go(func() { // in the order of the bundle, so that reports are deterministic
		for j := range p.order {
			c.report.add(<-j.result)
			if !second {
				c.files = append(c.files, found{j.path, int64(j.size), j.sum})
			}
		}
	})
	err := Walk(ctx, c.src, c.opt.Limits, func(f File) error { return c.visit(p, f, second) })
	close(p.jobs)
	close(p.order)
	work.Wait()
	merge.Wait()
	if err == nil && c.targets.over() {
		err = refuse(TooMuch, "", "The pages contain more ids and references than can be checked.")
	}
	return err
}

// pipe passes files from the reader to the examiners.
type pipe struct {
	jobs, order chan *job
	budget      *budget
}

// visit reads one file of the bundle. It queues a file that may contain references, and hashes any other file.
func (c *checker) visit(p *pipe, f File, second bool) error {
	if c.opt.Progress != nil && !second {
		c.opt.Progress(f.Read, c.total)
	}
	if readable(f.Path) {
		if f.Size > maxText {
			return refuse(TooMuch, f.Path, "The file is larger than %d bytes, the limit for checking references.",
				int64(maxText))
		}
		p.budget.take(int(f.Size))
		data := make([]byte, f.Size)
		if _, err := io.ReadFull(f.Body, data); err != nil {
			return damaged(f.Path, err)
		}
		if err := ended(f); err != nil {
			return err
		}
		if !second {
			c.count(f)
		}
		j := &job{path: f.Path, data: data, size: len(data), result: make(chan *tally, 1)}
		p.order <- j
		p.jobs <- j
		return nil
	}
	if second {
		return nil
	}
	return c.keep(f)
}

// count records a file.
func (c *checker) count(f File) {
	c.targets.file(f.Path, isPage(f.Path))
	c.report.Files++
	c.report.Bytes += f.Size
	if isPage(f.Path) {
		c.report.Pages++
	}
}

// keep hashes a file without references, and stores the manifest and its signature.
func (c *checker) keep(f File) error {
	switch f.Path {
	case output.ManifestPath:
		return c.takeManifest(f)
	case output.SignaturePath:
		var err error
		c.papers.signature, err = c.paper(f, 1<<16)
		return err
	}
	h := sha256.New()
	n, err := io.Copy(h, f.Body)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	if n != f.Size {
		return refuse(Damaged, f.Path, "The file changed while it was being read.")
	}
	c.count(f)
	c.plain = append(c.plain, found{f.Path, n, [sha256.Size]byte(h.Sum(nil))})
	return nil
}

// takeManifest reads the manifest. It stores the bytes only if a signature must be verified.
func (c *checker) takeManifest(f File) error {
	var body io.Reader = f.Body
	if c.opt.PublicKey != nil {
		data, err := c.paper(f, output.MaxManifest)
		if err != nil {
			return err
		}
		c.papers.raw, body = data, bytes.NewReader(data)
	} else {
		c.count(f)
	}
	m, err := output.ParseManifest(body)
	var refused *Refusal
	if errors.As(err, &refused) {
		return refused
	}
	c.papers.manifest, c.papers.fault = &m, err
	if _, err := io.Copy(io.Discard, f.Body); err != nil { // the rest of a manifest that cannot be used
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	return nil
}

// paper reads the manifest or its signature completely.
func (c *checker) paper(f File, limit int64) ([]byte, error) {
	if f.Size > limit {
		return nil, refuse(TooMuch, f.Path, "The file is larger than %d bytes.", limit)
	}
	data := make([]byte, f.Size)
	if _, err := io.ReadFull(f.Body, data); err != nil {
		return nil, damaged(f.Path, err)
	}
	c.count(f)
	return data, ended(f)
}

// ended reads the rest of a file, because the reader verifies checksums at the end.
func ended(f File) error {
	n, err := io.Copy(io.Discard, f.Body)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.Path, err)
	}
	if n > 0 {
		return refuse(Damaged, f.Path, "The file changed while it was being read.")
	}
	return nil
}

// readable reports whether a file can contain references.
func readable(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".html", ".htm", ".xhtml", ".css", ".js", ".mjs", ".svg", ".webmanifest":
		return true
	}
	return name == capability.OriginsFile
}

func isPage(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".html" || ext == ".htm" || ext == ".xhtml"
}

// budget limits the bytes in memory.
type budget struct {
	mu        sync.Mutex
	less      sync.Cond
	used, max int
}

func newBudget(max int) *budget {
	b := &budget{max: max}
	b.less.L = &b.mu
	return b
}

// take waits until n more bytes may be held. A file larger than the whole budget may be held alone.
func (b *budget) take(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.used > 0 && b.used+n > b.max {
		b.less.Wait()
	}
	b.used += n
}

func (b *budget) free(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	b.less.Broadcast()
}
