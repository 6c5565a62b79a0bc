package publish

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/reader"
	"github.com/lectern-docs/lectern/internal/foundation/refversion"
	"github.com/lectern-docs/lectern/internal/site/docsjson"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
)

// This file publishes the versions of a site that come from branches and tags. The default version is the site
// itself; each of the others has its own manifest and is served below a path. A version whose docs folder and
// settings match a stored manifest is not built again.

// maxProblems is the maximum number of findings reported about refs, because a repository may have any number of refs.
const maxProblems = 20

// versionPlan describes the versions that an update publishes.
type versionPlan struct {
	next *deploy.Versions // the versions after the update; completed as they are built
	live *deploy.Versions // the live versions; nil = none
	own  string           // ref from which the update's source was fetched
	// a rebuild of the live site, for which the source of the version at the root has already been opened
	replay bool
}

// defaultName returns the name of the version at the root; "" = the site has no versions.
func (p *versionPlan) defaultName() string {
	if p == nil {
		return ""
	}
	return p.next.Default
}

// branch returns the ref of the version at the root, in the form used for sources; "" = the project's own branch.
func (p *versionPlan) branch() string {
	if p == nil {
		return ""
	}
	if v := p.next.Find(p.next.Default); v != nil && v.Ref != p.own {
		return refversion.BranchOf(v.Ref)
	}
	return ""
}

// fetches reports whether the source of the version at the root still has to be fetched.
func (p *versionPlan) fetches() bool { return p != nil && !p.replay && p.branch() != "" }

// planVersions reads the rules from the source and selects versions from the repository's refs. A rebuild of
// the live site keeps its versions.
func (r *run) planVersions(ctx context.Context, p project.Project, src fs.FS, live *deploy.Versions) error {
	if r.d.Kind != deploy.Production {
		return nil
	}
	if r.d.Replaces != "" { // see the method source
		return r.planAgain(ctx, p, live)
	}
	cfg, _ := docsjson.Load(src) // the build reports its diagnostics
	rules := cfg.GitVersions
	if rules.IsZero() {
		return nil
	}
	if !snapshot.HasRefs(p) {
		r.problem("gitVersions has no effect: the source of this project is not a Git repository.")
		return nil
	}
	refs, branch, err := r.Source.Refs(ctx, p)
	if err != nil {
		return err
	}
	chosen := rules.Select(refs, refversion.Short(branch))
	for i, problem := range chosen.Problems {
		if i == maxProblems {
			r.problem(fmt.Sprintf("There are %d more such findings about branches and tags.", len(chosen.Problems)-i))
			break
		}
		r.problem(problem)
	}
	if len(chosen.Versions) == 0 {
		r.problem("No branch or tag matches gitVersions.")
	}
	next := &deploy.Versions{Rules: rules, Head: r.d.Commit, Refs: rules.Digest(refs), Default: chosen.Default,
		Aliases: chosen.Aliases}
	for _, v := range chosen.Versions {
		next.List = append(next.List, deploy.Version{Version: v})
	}
	r.plan = &versionPlan{next: next, live: live, own: refversion.FullName(branch)}
	r.d.Versions = next.Public()
	_, err = r.Store.AdvanceDeployment(ctx, r.h, r.Lease, r.d) // later pushes are compared with these refs
	return err
}

// planAgain keeps the live versions. If their manifest cannot be read, live is nil. The deployment's row still lists
// the versions, and all of them are built again.
func (r *run) planAgain(ctx context.Context, p project.Project, live *deploy.Versions) error {
	from := live
	if from == nil {
		row, err := r.Store.FindDeploymentByID(ctx, r.d.Replaces)
		if err != nil {
			return err
		}
		if from = row.Versions; from == nil {
			return nil
		}
	}
	next := *from
	next.List = slices.Clone(from.List)
	r.plan = &versionPlan{next: &next, live: live, replay: true}
	if p.Source.Branch != "" {
		r.plan.own = refversion.FullName(p.Source.Branch)
	}
	r.d.Versions = next.Public()
	return nil
}

// problem reports a problem with versions that does not stop the update.
func (r *run) problem(message string) {
	r.logLine(message)
	r.d.Diagnostics = append(r.d.Diagnostics, diag.Diagnostic{Severity: diag.Warning, File: "docs.json",
		Code: "git-versions", Message: message})
}

// fetchDefault fetches the source of the version at the root from another branch or a tag.
func (r *run) fetchDefault(ctx context.Context, p project.Project) (fetched, error) {
	src, err := r.inScratch("publish", func(dir string) (*snapshot.Source, error) {
		return r.Source.Fetch(ctx, p, r.plan.branch(), dir, r.like)
	})
	if err != nil {
		return src, err
	}
	r.d.Commit, r.d.Change = src.Commit, deploy.Change(src.Change)
	r.d.Diagnostics = append(r.d.Diagnostics, src.Diagnostics...)
	r.logLine(fmt.Sprintf("The site's root is version %s, %s; files: %d, bytes: %d.", r.plan.next.Default, src.Commit,
		src.Files, src.Bytes))
	if _, err = r.Store.AdvanceDeployment(ctx, r.h, r.Lease, r.d); err != nil {
		src.remove()
	}
	return src, err
}

// versionBuilder builds the versions of one update.
type versionBuilder struct {
	*run
	project project.Project
	opt     build.Options
	known   known
	stored  map[string]bool // keys of the project's manifests and packs
	made    map[string]*deploy.Version
	views   []reader.View // requested by readers
	loaded  bool          // known contains the contents of the live versions
}

// buildVersions adds the other versions to the manifest of the default version. A version that does not build stays
// as it was, and the problem is reported.
func (r *run) buildVersions(ctx context.Context, p project.Project, main *deploy.Manifest, known known) error {
	if r.plan == nil {
		return nil
	}
	origin, base, err := r.address(ctx, p)
	if err != nil {
		return err
	}
	at := "/" + deploy.VersionSegment
	b := &versionBuilder{run: r, project: p, opt: r.options(origin+at, base+at), known: known.with(*main),
		made: map[string]*deploy.Version{}}
	b.opt.VersionName = deploy.VersionSegment
	if b.stored, err = r.storedKeys(ctx, p.ID); err != nil {
		return err
	}
	if b.views, err = r.Store.ListViews(ctx, p.ID, r.Now().Add(-viewLife)); err != nil {
		return err
	}
	session := r.Cache.Begin()
	if session != nil {
		defer session.Close() // also after a failure: the rendered results are valid
		b.opt.Cache, b.opt.Program = session, session.Program()
	}
	if err := b.findTrees(ctx); err != nil {
		return err
	}
	built, kept := 0, 0
	for i := range r.plan.next.List {
		v := &r.plan.next.List[i]
		if v.Name == r.plan.next.Default {
			v.Take(&deploy.Version{Pages: r.d.PageCount}) // the site itself
			v.Built = r.d.Commit
			continue
		}
		again, err := b.version(ctx, v, i)
		if err != nil {
			return err
		}
		if again {
			built++
		} else {
			kept++
		}
	}
	r.logLine(fmt.Sprintf("Versions: %d; built: %d, unchanged: %d.", len(r.plan.next.List), built+1, kept))
	main.Versions, r.d.Versions = r.plan.next, r.plan.next.Public()
	return nil
}

// findTrees finds the docs folder's tree id for each version. Refs that have not moved are not fetched.
func (b *versionBuilder) findTrees(ctx context.Context) error {
	var moved []string
	for i := range b.plan.next.List {
		v := &b.plan.next.List[i]
		if v.Name == b.plan.next.Default {
			continue
		}
		old := b.plan.live.Find(v.Name)
		if old != nil && old.Commit == v.Commit && old.Tree != "" {
			v.Tree = old.Tree
			continue
		}
		moved = append(moved, v.Ref)
	}
	tips, err := b.Source.FetchRefs(ctx, b.project, moved)
	if err != nil {
		return err
	}
	for i := range b.plan.next.List {
		v := &b.plan.next.List[i]
		if tip, ok := tips[v.Ref]; ok {
			v.Tree, v.Commit = tip.Tree, tip.Commit // it may have moved again since the refs were listed
		}
	}
	return nil
}

// version updates one version and reports whether it was built. A failure caused by the version itself is reported,
// not returned.
func (b *versionBuilder) version(ctx context.Context, v *deploy.Version, number int) (built bool, err error) {
	print := b.print(v)
	old := b.plan.live.Find(v.Name)
	same := func(o *deploy.Version) bool { return o != nil && o.Print == print && b.seen(o) && b.complete(o) }
	for _, o := range []*deploy.Version{b.made[print], old} {
		if same(o) {
			v.Take(o)
			v.Built, v.Error = v.Commit, ""
			b.made[print] = v
			return false, nil
		}
	}
	if b.plan.live != nil {
		for i := range b.plan.live.List {
			if o := &b.plan.live.List[i]; same(o) {
				v.Take(o)
				v.Built = v.Commit
				b.made[print] = v
				return false, nil
			}
		}
	}
	if old != nil && b.complete(old) {
		v.Take(old) // until a newer one is built
		v.Built = old.Built
	}
	if old != nil && old.Tried == print {
		v.Error, v.Tried = old.Error, print
		return false, nil
	}
	err = b.build(ctx, v, number, print)
	f, ok := fault.As(err)
	if ctx.Err() != nil || err != nil && (fault.IsOutage(err) || !ok || f.Kind == fault.Internal) {
		return false, err
	}
	if err != nil {
		v.Error = f.Sentence()
		if f.Kind != fault.Unavailable {
			v.Tried = print
		}
		b.problem(fmt.Sprintf("Version %s was not updated: %s", v.Name, v.Error))
		return false, nil
	}
	b.made[print] = v
	return true, nil
}
