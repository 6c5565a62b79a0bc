package snapshot

import (
	"context"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// HasRefs reports whether a project's source is a repository, whose branches and tags can be versions.
func HasRefs(p project.Project) bool { return p.Source.Path == "" && p.Source.Repository != BuiltIn }

// Refs lists the branches and tags of a project's repository, and the branch that its pages come from.
func (f *Fetcher) Refs(ctx context.Context, p project.Project) (refs []refversion.Ref, branch string, err error) {
	if err := f.ready(ctx, p); err != nil {
		return nil, "", err
	}
	remote, err := f.Remote(ctx, p, "")
	if err != nil {
		return nil, "", err
	}
	if refs, err = f.Git.Refs(ctx, remote); err != nil {
		return nil, "", err
	}
	// an agent's proposals are not published before someone has merged them
	refs = slices.DeleteFunc(refs, func(r refversion.Ref) bool { return proposed(strings.TrimPrefix(r.Name, "refs/heads/")) })
	branch, err = f.Git.Branch(ctx, remote)
	return refs, branch, err
}

// FetchRefs fetches refs of a project's repository and returns the tip of each.
func (f *Fetcher) FetchRefs(ctx context.Context, p project.Project, refs []string) (map[string]git.Tip, error) {
	remote, err := f.Remote(ctx, p, "")
	if err != nil {
		return nil, err
	}
	return f.Git.FetchRefs(ctx, remote, refs)
}
