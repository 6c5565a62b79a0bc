package publish

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/fingerprint"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// print returns a digest of everything that affects a version's manifest, except for the version's name and the views
// that readers requested, for which see seen.
func (b *versionBuilder) print(v *deploy.Version) string {
	sum := fingerprint.Of("version", b.opt.Program, b.opt.Tool, v.Tree, b.opt.BaseURL, b.opt.BasePath, b.opt.Offers,
		b.opt.MCP, b.repository(b.project, refversion.BranchOf(v.Ref)), b.project.DocsFolder)
	return hex.EncodeToString(sum[:])
}

// seen reports whether a version has all requested views. Views that the version's own groups do not tell apart count
// as one view, so a version without groups has only one.
func (b *versionBuilder) seen(v *deploy.Version) bool {
	for _, one := range within(b.views, v.Groups) {
		if !slices.Contains(v.Views, one.Key()) {
			return false
		}
	}
	return true
}

// complete reports whether everything that a version needs is still stored.
func (b *versionBuilder) complete(v *deploy.Version) bool {
	return b.stored[v.Manifest] && !slices.ContainsFunc(v.Blobs, func(key string) bool { return !b.stored[key] })
}

// build builds a version and stores it.
func (b *versionBuilder) build(ctx context.Context, v *deploy.Version, number int, print string) error {
	if v.Tree == "" {
		return fault.Newf(fault.NotFound, "folder_not_found", "There is no folder %q at %s.", b.project.DocsFolder,
			refversion.Short(v.Ref))
	}
	b.logLine(fmt.Sprintf("Building version %s.", v.Name))
	if _, err := b.Store.AdvanceDeployment(ctx, b.h, b.Lease, b.d); err != nil {
		return err
	}
	got, err := b.inScratch("version", func(dir string) (*snapshot.Source, error) {
		return b.Source.FetchAt(ctx, b.project, refversion.BranchOf(v.Ref), v.Commit, dir, b.like)
	})
	if err != nil {
		return err
	}
	defer got.remove()
	b.loadLive(ctx)
	opt := b.opt
	opt.Commit, opt.Now, opt.Fetch, opt.Kept = v.Commit, build.Day(got.Time), b.Fetch, b.lastGood(b.project)
	opt.Repository = b.repository(b.project, refversion.BranchOf(v.Ref))
	suffix := fmt.Sprintf("-version%d", number)
	report, m, err := b.buildAll(ctx, b.project, got.Source, opt, suffix, b.known, nil)
	if err == nil {
		err = verdict(report)
	}
	if err != nil {
		return err
	}
	blobs, err := Needs(ctx, b.Blob, m)
	if err != nil {
		return err
	}
	key, err := b.storeManifest(ctx, m, suffix)
	if err != nil {
		return err
	}
	b.known.add(m)
	b.stored[key] = true
	for _, one := range blobs {
		b.stored[one] = true
	}
	v.Manifest, v.Blobs, v.Print, v.Built, v.Pages, v.Error = key, blobs, print, v.Commit, report.Pages, ""
	v.Groups, v.Views = m.Groups, nil
	for _, one := range m.Views {
		v.Views = append(v.Views, one.View)
	}
	return nil
}

// loadLive adds the contents of the live versions to those known, before the first version is built, so that they are
// not stored again. If the manifest cannot be read, contents may be stored twice.
func (b *versionBuilder) loadLive(ctx context.Context) {
	if b.loaded || b.plan.live == nil {
		return
	}
	b.loaded = true
	done := map[string]bool{}
	for i := range b.plan.live.List {
		v := &b.plan.live.List[i]
		if v.Manifest == "" || done[v.Manifest] || !b.complete(v) {
			continue
		}
		done[v.Manifest] = true
		if m, err := LoadManifest(ctx, b.Blob, v.Manifest); err == nil {
			b.known.add(m)
		}
	}
}
