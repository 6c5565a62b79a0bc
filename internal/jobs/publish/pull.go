package publish

import (
	"cmp"
	"context"
	"errors"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/pullpreview"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/git"
)

// foreign reports whether the source may be written by anybody who can open a pull request. Whoever asked for the build,
// the ref of a pull request counts as foreign unless its code host said that it is one of the repository itself.
func (r *run) foreign(ctx context.Context, p project.Project) (bool, error) {
	branch := r.d.Branch
	if branch == "" {
		branch = p.Source.Branch
	}
	if !git.IsPull(branch) {
		return false, nil
	}
	v, err := r.Store.FindPullPreviewByRef(ctx, p.ID, branch)
	if fault.Is(err, fault.NotFound) {
		return true, nil
	}
	return v.Fork, err
}

// refusal returns why a pull request gets no preview; "" if it gets one. same means that it changes nothing in the docs
// folder: it must not take the place of another.
func (r *run) refusal(ctx context.Context, same bool) (pullpreview.Refusal, error) {
	if same {
		return pullpreview.Unchanged, nil
	}
	if r.d.Trigger != deploy.Pull {
		return "", nil
	}
	refused, err := r.Store.AdmitPullPreview(ctx, r.h, r.Lease, r.d.ProjectID, cmp.Or(r.MaxPulls, pullpreview.DefaultMost))
	if err != nil || !refused {
		return "", err
	}
	return pullpreview.Limit, nil
}

// liveOnly returns API descriptions at other addresses as the live site has them, and no others.
func (r *run) liveOnly(p project.Project) openapi.Fetch {
	return func(ctx context.Context, url string) ([]byte, error) {
		c, ok := r.lastGood(p)(ctx, url)
		if !ok {
			return nil, errors.New("previews of forks contain only the API descriptions of the live site")
		}
		return c.Data, nil
	}
}

// changedPages lists the pages that differ from the live site's, by their Markdown form: that has nothing of the layout,
// which changes with every build. A page that fails has none.
func changedPages(live, next deploy.Manifest) (out []deploy.ChangedPage) {
	before := map[string]bool{}
	for _, p := range pagesOf(live) {
		before[p.Path] = true
	}
	for _, p := range next.Pages {
		switch file, ok := next.Files[p.Path+".md"]; {
		case !before[p.Path]:
			out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageAdded})
		case ok && file.SHA256 != live.Files[p.Path+".md"].SHA256:
			out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageChanged})
		}
		delete(before, p.Path)
	}
	for _, p := range pagesOf(live) {
		if before[p.Path] {
			out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageRemoved})
		}
	}
	return out[:min(len(out), maxChanged)]
}

// maxChanged bounds the pages that are stored with a pull request; a comment shows fewer.
const maxChanged = 500
