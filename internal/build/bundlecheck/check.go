package bundlecheck

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Check reads a bundle and reports everything that is wrong with it. An error means that the reading itself failed;
// whatever the bundle is to blame for, an archive that ends in the middle included, is a finding.
//
// The bundle is read once. Only when something leads nowhere is it read again, to tell every place that does.
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

// checker is one check.
type checker struct {
	opt     Options
	src     Source
	total   int64 // bytes of the bundle, for showing progress
	targets *targets
	papers  papers
	files   []found // that were read for references, in the first pass
	plain   []found // the others
	report  *Report

	mu    sync.Mutex
	hosts map[string]bool // that readers may go to
}

// host notes that readers may go there.
func (c *checker) host(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name != "" && len(c.hosts) < maxHosts {
		c.hosts[name] = true
	}
}

// refusal returns why the bundle was not read to its end.
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
