package localdir

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Root is a folder that the operator permits as a source for one organization.
type Root struct {
	Organization string
	Path         string // absolute and clean
}

// Rule reports whether an organization may use a path on the server's own disk as a source. Callers call it before
// every use, because the result changes when a second organization is created. A nil Rule refuses everything.
type Rule func(ctx context.Context, organizationID, at string) (Place, error)

// Allow returns the place for the absolute path at, if the organization may use it.
func (r Rule) Allow(ctx context.Context, organizationID, at string) (Place, error) {
	if r == nil {
		return Place{}, off("")
	}
	return r(ctx, organizationID, at)
}

// Policy decides which folders of the server's own disk an organization's sources may use.
type Policy struct {
	Anywhere bool                                    // any folder is permitted while Alone returns true
	Alone    func(ctx context.Context) (bool, error) // reports whether the server has exactly one organization
	Roots    []Root
	Private  []string // the server's own folders; a root must not be inside one of them, or contain one outside Data
	Data     string   // the private folder that snapshots and merges skip, so a root may contain it
}

// Allow returns the policy as a Rule.
func (p *Policy) Allow(ctx context.Context, organizationID, at string) (Place, error) {
	several := ""
	if p.Anywhere {
		alone, err := p.Alone(ctx)
		if err != nil {
			return Place{}, err
		}
		if alone {
			return Place{Path: at}, nil
		}
		several = " This server has several organizations, so each needs its own list."
	}
	for _, r := range p.Roots {
		if r.Organization != organizationID || !below(at, r.Path) {
			continue
		}
		if err := p.Check(r); err != nil {
			return Place{}, off("").WithCause(err)
		}
		return Place{Root: r.Path, Path: filepath.Clean(at)}, nil
	}
	return Place{}, off(several)
}

// below reports whether a path without dot segments is root or is below it.
func below(at, root string) bool {
	if !filepath.IsAbs(at) || slices.Contains(strings.Split(at, "/"), "..") {
		return false
	}
	at = filepath.Clean(at)
	return at == root || strings.HasPrefix(at, strings.TrimRight(root, "/")+"/")
}

// Check returns an error if a root cannot be used because it is not a folder or overlaps the server's own folders or
// another organization's root. Links are resolved: a root may be a link, but two roots that resolve to the same folder
// overlap.
func (p *Policy) Check(r Root) error {
	info, err := os.Stat(r.Path)
	if err != nil {
		return fmt.Errorf("root %s: %w", r.Path, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("root %s is not a folder", r.Path)
	}
	for _, private := range p.Private {
		if Within(r.Path, private) {
			return fmt.Errorf("root %s is in the server's own folder %s", r.Path, private)
		}
		if p.exposed(private, r.Path) {
			return fmt.Errorf("root %s contains the server's own folder %s", r.Path, private)
		}
	}
	for _, other := range p.Roots {
		if other.Organization != r.Organization && (Within(r.Path, other.Path) || Within(other.Path, r.Path)) {
			return fmt.Errorf("root %s of %s overlaps root %s of %s", r.Path, r.Organization, other.Path,
				other.Organization)
		}
	}
	return nil
}

// exposed reports whether one of the server's own folders is, or would be when created, below root and outside
// Data.
func (p *Policy) exposed(private, root string) bool {
	if private == "" {
		return false
	}
	at := existing(private)
	if Within(at, p.Data) {
		return false
	}
	if _, err := os.Stat(p.Data); err != nil && below(absolute(private), absolute(p.Data)) {
		return false // it will be created inside the data folder
	}
	return Within(at, root)
}

// existing returns the path, or its nearest parent folder that exists.
func existing(path string) string {
	at := absolute(path)
	for {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			return at
		}
		at = filepath.Dir(at)
	}
}

func absolute(path string) string {
	if at, err := filepath.Abs(path); err == nil {
		return at
	}
	return path
}

// off returns the fault for a source on the server's disk. It does not reveal whether the path exists.
func off(more string) *fault.Error {
	return fault.New(fault.Forbidden, "local_source_off",
		"This organization may not use a source at that path on the server's disk.").
		WithHint(
			"Use an https or ssh repository. The operator can allow folders with the settings sources.local and sources.roots." + more)
}

// Anywhere is the rule of a server with a single user: every path is permitted.
func Anywhere(_ context.Context, _, at string) (Place, error) { return Place{Path: at}, nil }
