package publish

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/build/prose"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// samplesTime is the time limit for all samples of one pull request: its preview waits for them, and anyone may have
// written them.
const samplesTime = 5 * time.Minute

// runSamples runs the samples of the pages that a pull request changes. The preview does not depend on them, so it
// returns an error only if the whole update has to stop.
func (r *run) runSamples(ctx context.Context, base, src fs.FS) (diag.List, error) {
	opt := r.Samples
	if len(opt.Languages) == 0 {
		return nil, nil
	}
	opt.Base, opt.Total = base, samplesTime
	opt.Folder = func() (string, func() error, error) { return r.Scratch.Folder("sample") }
	result, err := codesample.Check(ctx, src, opt)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		r.logFailure("Code samples could not be run", err)
		return nil, nil
	}
	if off := slices.Sorted(maps.Keys(result.Disabled)); result.Ran+result.Left+len(off) > 0 {
		r.logLine(fmt.Sprintf("Code samples of changed pages: %d run, %d left out because there are too many or they take too long. "+
			"Languages that are not enabled: %d.", result.Ran, result.Left, len(off)))
	}
	return result.Findings, nil
}

// checkProse runs Vale with the repository's rules on the pages that a pull request changes. The preview does not
// depend on them either.
func (r *run) checkProse(ctx context.Context, base, src fs.FS) (diag.List, error) {
	opt := r.Prose
	if opt.Program == "" {
		return nil, nil
	}
	opt.Base = base
	opt.Folder = func() (string, func() error, error) { return r.Scratch.Folder("prose") }
	result, err := prose.Check(ctx, src, opt)
	if ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		r.logFailure("The prose could not be checked", err)
		return nil, nil
	}
	if result.Config != "" {
		r.logLine(fmt.Sprintf("Prose of changed pages: %d checked with Vale by %s.", result.Pages, result.Config))
	}
	return result.Findings, nil
}

// logFailure logs, for the author and the operator, a step that failed although the update continues.
func (r *run) logFailure(what string, err error) {
	why := "internal error"
	if f, ok := fault.As(err); ok {
		why = f.Sentence()
	}
	r.logLine(what + ": " + why)
	if r.Logger != nil {
		r.Logger.Warn(what, "project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
	}
}
