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

// foreign reports whether anyone who can open a pull request may have written the source. The ref of a pull request
// counts as foreign, no matter who requested the build, unless its code host reported that it comes from the
// repository itself.
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

// refusal returns why a pull request gets no preview, or "" if it gets one. same means that the pull request changes
// nothing in the docs folder, so it must not take a preview slot from another one.
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

// liveOnly returns a fetcher that provides only the remote API descriptions stored for the live site.
func (r *run) liveOnly(p project.Project) openapi.Fetch {
	return func(ctx context.Context, url string) ([]byte, error) {
		c, ok := r.lastGood(p)(ctx, url)
		if !ok {
			return nil, errors.New("previews of forks can use only API descriptions that the live site already uses")
		}
		return c.Data, nil
	}
}

// changedPages lists the pages that differ from the live site. It compares their Markdown form, because HTML contains
// the layout, which changes with every build. Failing pages have no Markdown form.
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

// maxChanged is the number of pages stored with a pull request; a comment shows fewer.
const maxChanged = 500
