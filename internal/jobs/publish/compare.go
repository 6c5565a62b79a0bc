package publish

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/sitediff"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/site/output"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// maxCompared is the number of findings stored with a pull request; a comment shows fewer.
const maxCompared = 200

// base is the state with which a pull request is compared.
type base struct {
	branch string // target branch of the pull request; "" = the default branch
	commit string
	head   *sitediff.Recorder // records the pull request's build
}

// findBase finds the commit from which a pull request branched off, or nil if the deployment is not for a pull request
// or there is no such commit. same means that the pull request changes nothing in the docs folder. The preview does not
// depend on the comparison, so findBase returns an error only for an outage on our side.
func (r *run) findBase(ctx context.Context, p project.Project) (found *base, same bool, err error) {
	if r.d.Trigger != deploy.Pull || !git.IsPull(r.d.Branch) || p.Source.Repository == "" {
		return nil, false, nil
	}
	v, err := r.Store.FindPullPreviewByRef(ctx, p.ID, r.d.Branch)
	if fault.Is(err, fault.NotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	at, err := r.Source.ForkPoint(ctx, p, r.d.Branch, r.d.Commit, v.Base)
	if err == nil && at.Commit == "" {
		r.logLine("The commit at which the pull request began is unknown. It is compared with the live site.")
		return nil, false, nil
	}
	if err != nil {
		return nil, false, r.uncompared(ctx, err)
	}
	return &base{branch: v.Base, commit: at.Commit, head: sitediff.NewRecorder()}, at.Same, nil
}

// uncompared logs that the comparison is not possible, and returns an error only if the whole update has to stop.
func (r *run) uncompared(ctx context.Context, err error) error {
	if ctx.Err() != nil || fault.IsOutage(err) {
		return err
	}
	why := "internal error."
	if f, ok := fault.As(err); ok {
		why = f.Sentence()
	}
	r.logLine("The pull request cannot be compared with its base: " + why + " It is compared with the live site instead.")
	if r.Logger != nil {
		r.Logger.Warn("cannot compare pull request with its base", "project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
	}
	return nil
}

// into returns the options and sink for a build whose result is compared later. It returns both unchanged if b is
// nil.
func (b *base) into(opt build.Options, next output.Sink) (build.Options, output.Sink) {
	if b == nil {
		return opt, next
	}
	opt.Loaded = b.head.Load
	return opt, both{b.head, next}
}

// both writes a build's files to two sinks; the second one stores them.
type both struct {
	first, next output.Sink
}

// Put implements output.Sink.
func (s both) Put(ctx context.Context, f output.File) error {
	if err := s.first.Put(ctx, f); err != nil {
		return err
	}
	return s.next.Put(ctx, f)
}

// WantsPacked returns the second sink's preference.
func (s both) WantsPacked() bool { return output.WantsPacked(s.next) }

// compare builds the base and records what the pull request changes for readers. It uses the options of the pull
// request's build, so the base gets no more access than the pull request, and unchanged pages come from the build
// cache.
func (r *run) compare(ctx context.Context, p project.Project, b *base, src *snapshot.Source, opt build.Options, report *build.Report,
	into *deploy.Manifest) error {
	start, err := r.inScratch("base", func(dir string) (*snapshot.Source, error) {
		src, err := r.Source.FetchAt(ctx, p, b.branch, b.commit, dir, r.like)
		if fault.HasCode(err, "folder_not_found") {
			return snapshot.Empty(), nil
		}
		return src, err
	})
	if err != nil {
		return r.uncompared(ctx, err)
	}
	defer start.remove()
	before, old, err := r.record(ctx, start.Source, opt)
	if err == nil && old.Broken {
		err = verdict(old)
	}
	if err != nil {
		return r.uncompared(ctx, err)
	}
	after, public := b.head.State(src.FS, report), opt
	// pages that only some readers see are not lost addresses
	if groups := slices.Concat(report.Groups, old.Groups); len(groups) > 0 {
		opt.View = reader.New(groups...)
		if before, _, err = r.record(ctx, start.Source, opt); err == nil {
			after, _, err = r.record(ctx, src, opt)
		}
		if err != nil {
			return r.uncompared(ctx, err)
		}
	}
	found, err := sitediff.Compare(ctx, before, after, sitediff.Options{})
	if err != nil {
		return r.uncompared(ctx, err)
	}
	fresh, known := sitediff.New(old.Diagnostics, report.Diagnostics, found.Moved)
	samples, err := r.runSamples(ctx, start.FS, src.FS)
	if err != nil {
		return err
	}
	alerts, err := r.checkProse(ctx, start.FS, src.FS)
	if err != nil {
		return err
	}
	fresh = slices.Concat(fresh, samples, alerts)
	r.d.Changed = changesOf(found)
	if err := r.showChanges(ctx, p, start.Source, src, public, into); err != nil {
		if ctx.Err() != nil || fault.IsOutage(err) {
			return err
		}
		r.logLine("The changed pages cannot be shown side by side.")
		if r.Logger != nil {
			r.Logger.Warn("cannot show changed pages", "project", r.d.ProjectID, "deployment", r.d.ID, "error", err)
		}
	}
	r.d.Compared = comparisonOf(b.commit, append(fresh, found.Findings...), len(known))
	r.logLine(fmt.Sprintf("Compared with %s; pages added: %d, removed: %d, moved: %d, changed: %d.", b.commit, len(found.Added),
		len(found.Removed), len(found.Moved), len(found.Changed)))
	return nil
}

// record builds a folder and keeps only the data needed for a comparison.
func (r *run) record(ctx context.Context, src *snapshot.Source, opt build.Options) (*sitediff.State, *build.Report, error) {
	into := sitediff.NewRecorder()
	opt.Loaded = into.Load
	report, err := buildSource(ctx, src, opt, into)
	if err != nil {
		return nil, nil, err
	}
	return into.State(src.FS, report), report, nil
}

// changesOf lists the pages that differ.
func changesOf(found sitediff.Result) []deploy.ChangedPage {
	out := []deploy.ChangedPage{}
	for _, p := range found.Added {
		out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageAdded})
	}
	for _, p := range found.Changed {
		out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageChanged})
	}
	for _, m := range found.Moved {
		out = append(out, deploy.ChangedPage{Path: m.To.Path, How: deploy.PageMoved, From: m.From.Path})
	}
	for _, p := range found.Removed {
		out = append(out, deploy.ChangedPage{Path: p.Path, How: deploy.PageRemoved})
	}
	return out[:min(len(out), maxChanged)]
}

// comparisonOf counts new findings and keeps the first of them in the order lost addresses, other errors, warnings.
func comparisonOf(commit string, list diag.List, known int) *deploy.Comparison {
	out := &deploy.Comparison{Base: commit, Known: known}
	rank := func(d diag.Diagnostic) int {
		switch {
		case d.Code == deploy.LostAddress:
			return 0
		case d.Severity == diag.Error:
			return 1
		}
		return 2
	}
	for _, d := range list {
		switch rank(d) {
		case 0:
			out.Lost++
			out.Errors++
		case 1:
			out.Errors++
		default:
			out.Warnings++
		}
	}
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int {
		if n := rank(a) - rank(b); n != 0 {
			return n
		}
		return strings.Compare(a.File, b.File)
	})
	out.Findings = list[:min(len(list), maxCompared)]
	return out
}
