package bundlecheck

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Check reads a bundle and reports all problems. It returns an error only if reading failed; everything that is
// wrong with the bundle, such as a truncated archive, is a finding.
//
// The bundle is read once. If there are broken references, it is read again to report their positions.
func Check(ctx context.Context, src Source, opt Options) (*Report, error) {
	if opt.Limits == (Limits{}) {
		opt.Limits = Standard()
	}
	c := &checker{opt: opt, src: src, targets: newTargets(), hosts: map[string]bool{},
		report: &Report{Signature: Unsigned, Allowed: map[string]int{}}}
	if opt.Progress != nil {
		if c.total = src.size; src.folder != nil {
			c.total = folderSize(src.folder)
		}
	}
	err := c.pass(ctx, false)
	refused := &Refusal{}
	switch {
	case errors.As(err, &refused):
		c.refusal(refused)
	case err != nil:
		return nil, fmt.Errorf("check bundle: %w", err)
	default:
		t := &tally{}
		c.inventory(t)
		c.report.add(t)
		if !c.targets.complete() {
			if err := c.pass(ctx, true); err != nil {
				return nil, fmt.Errorf("check bundle again: %w", err)
			}
		}
	}
	c.report.close(c.hosts)
	return c.report, nil
}

// checker holds the state of one check.
type checker struct {
	opt     Options
	src     Source
	total   int64 // size of the bundle in bytes, for progress
	targets *targets
	papers  papers
	files   []found // files that the first pass searched for references
	plain   []found // all other files
	report  *Report

	mu    sync.Mutex
	hosts map[string]bool // hosts that readers may visit
}

// host records a host that readers may visit.
func (c *checker) host(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name != "" && len(c.hosts) < maxHosts {
		c.hosts[name] = true
	}
}

// refusal reports the reason why the bundle was not read completely.
func (c *checker) refusal(r *Refusal) {
	t := &tally{}
	at := whole(r.Entry)
	switch r.Reason {
	case Unsafe:
		t.errorf(at, "bundle-unsafe", "%s", r.Text)
	case TooMuch:
		t.errorf(at, "bundle-limit", "%s", r.Text)
	default:
		t.errorf(at, "bundle-damaged", "%s", r.Text)
	}
	c.report.add(t)
}
