package publish

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/build"
	"github.com/lectern-docs/lectern/internal/build/buildcache"
	"github.com/lectern-docs/lectern/internal/build/codesample"
	"github.com/lectern-docs/lectern/internal/build/prose"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/scratch"
	"github.com/lectern-docs/lectern/internal/script/jsrun"
	"github.com/lectern-docs/lectern/internal/site"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/openapi"
	"github.com/lectern-docs/lectern/internal/source/snapshot"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Publisher runs deploy tasks.
type Publisher struct {
	Store   *store.Store
	Blob    blob.Store
	Source  *snapshot.Fetcher
	Scratch *scratch.Space
	SiteURL func(domain string) string
	Tool    string
	Press   *build.Tools      // shared by all builds; nil = each build creates its own
	Cache   *buildcache.Store // results of earlier builds; nil = none
	Scripts jsrun.Host        // runs author code, if enabled
	Fetch   openapi.Fetch     // fetches API descriptions from other hosts; nil = they are left out
	// Samples configures how code blocks are run for pull requests; without languages, none are run. The publisher sets
	// Base and Folder.
	Samples codesample.Options
	// Prose configures the prose checks for pull requests of repositories with rules; without a program, there are no
	// checks. The publisher sets Base and Folder.
	Prose prose.Options
	// MaxRemoved is the percentage of live pages that an update may remove without a corresponding change by the
	// author; 0 = 50, 100 = any.
	MaxRemoved int
	MaxPulls   int // maximum number of a project's pull requests with previews; 0 = pullpreview.DefaultMost
	// features of sites beyond reading; sites with search have an MCP server for agents
	Offers     capability.Offers
	Repository func(project.Project) site.Repository // returns where readers find a project's sources; nil = nowhere
	Lease      time.Duration
	Now        func() time.Time
	Logger     *slog.Logger // for problems that do not stop the update; nil = not logged
	Counts     *Counts      // nil = nothing is counted
}

// Counts are metrics for operators.
type Counts struct {
	Kept atomic.Int64 // API descriptions replaced by a stored copy
	Held atomic.Int64 // updates held because they would have removed too many pages
}

// maxDiagnostics limits the diagnostics stored for a very broken site; the first ones help most.
const maxDiagnostics = 1000

// run is a deployment in progress.
type run struct {
	*Publisher
	h    task.Hold
	d    deploy.Deployment
	last lastGood         // the API descriptions of the live site
	made []string         // blobs stored by this attempt that no row refers to yet
	plan *versionPlan     // versions from branches and tags; nil = the site has none
	like *snapshot.Source // the live site's stored source; nil = none, or it cannot be used
	// pages that show the changes of a pull request, visible to all readers of the preview; zero = none
	changes deploy.Manifest
	// the source belongs to a pull request from a fork, so anyone may have written it
	untrusted bool
}

// Run publishes the held deployment. A site that does not build ends as a failed deployment with its diagnostics; Run
// returns no error then.
func (p *Publisher) Run(ctx context.Context, h task.Hold) error {
	d, err := p.Store.StartDeployment(ctx, h, p.Lease)
	if err != nil {
		return err
	}
	d.Logs, d.Diagnostics, d.Versions = nil, nil, nil // a second attempt starts a new log
	r := &run{Publisher: p, h: h, d: d}
	err = r.publish(ctx)
	if err == nil {
		return nil
	}
	r.discard(ctx)
	if ctx.Err() != nil {
		return err
	}
	if fault.IsOutage(err) {
		return r.wait(ctx, err)
	}
	if f, ok := fault.As(err); ok && f.Kind != fault.Internal {
		return r.fail(ctx, f)
	}
	return err
}

// discard removes what an unsuccessful or canceled attempt stored. No other attempt uses the same names, and the sweep
// removes what cannot be removed now.
func (r *run) discard(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	for _, key := range r.made {
		if r.Blob.Delete(ctx, key) != nil {
			return
		}
	}
	r.made, r.d.SnapshotKey, r.d.ManifestKey = nil, "", ""
}

// Fail marks the deployment as failed and stores a message for its owner.
func (p *Publisher) Fail(ctx context.Context, h task.Hold, why task.Failure) error {
	d, err := p.Store.FindDeploymentByID(ctx, h.TaskID)
	// not found: its project was deleted, and only the task still has to end
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	d.Error, d.Transient = why.Sentence, why.Transient
	return p.Store.FailDeployment(ctx, h, d)
}

// wait records in the deployment why it is delayed; the worker retries it.
func (r *run) wait(ctx context.Context, cause error) error {
	// this update may be the cause, so the worker gives up after a few attempts
	if fault.IsFull(cause) {
		r.logLine("Stopped because the disk is full. The update will be retried.")
	} else {
		r.logLine("Waiting for storage: " + fault.OutageSentence(cause) + " The update continues automatically.")
	}
	_, err := r.Store.AdvanceDeployment(ctx, r.h, r.Lease, r.d)
	return errors.Join(cause, err)
}

// fail marks the deployment as failed. A failure caused by another host is transient: it may succeed later without a
// new commit.
func (r *run) fail(ctx context.Context, f *fault.Error) error {
	r.d.Error, r.d.Transient = f.Sentence(), f.Kind == fault.Unavailable
	r.logLine("Stopped: " + r.d.Error)
	if f.Code != heldCode {
		return r.Store.FailDeployment(ctx, r.h, r.d)
	}
	if r.Counts != nil {
		r.Counts.Held.Add(1)
	}
	return r.Store.FailDeployment(ctx, r.h, r.d, event.New(r.d.OrganizationID, "system", "deployment.hold", r.d.ID, "",
		r.Now(), map[string]string{"project": r.d.ProjectID, "commit": r.d.Commit}))
}

func (r *run) publish(ctx context.Context) error {
	p, err := r.Store.FindProject(ctx, r.d.OrganizationID, r.d.ProjectID)
	if err != nil {
		return err
	}
	if r.untrusted, err = r.foreign(ctx, p); err != nil {
		return err
	}
	published := r.startPublished(ctx, p)
	defer func() { _, _ = published() }()
	removeLike, err := r.openLike(ctx, p)
	if err != nil {
		return err
	}
	defer removeLike()
	src, err := r.fetch(ctx, p)
	if err != nil {
		return err
	}
	defer src.remove()
	from, same, err := r.findBase(ctx, p)
	if err != nil {
		return err
	}
	refused, err := r.refusal(ctx, same)
	if err != nil {
		return err
	}
	if refused != "" {
		return r.Store.SkipPullPreview(ctx, r.h, refused)
	}
	known, err := published()
	if err != nil {
		return err
	}
	live := known.live
	if err := r.planVersions(ctx, p, src.FS, live.Versions); err != nil {
		return err
	}
	if r.plan.fetches() {
		if src, err = r.fetchDefault(ctx, p); err != nil {
			return err
		}
		defer src.remove()
	}
	report, manifest, err := r.build(ctx, p, src.Source, known, from)
	if err != nil {
		return err
	}
	r.d.Diagnostics = append(r.d.Diagnostics, report.Diagnostics...)
	if len(r.d.Diagnostics) > maxDiagnostics {
		// errors first
		slices.SortStableFunc(r.d.Diagnostics,
			func(a, b diag.Diagnostic) int { return strings.Compare(string(a.Severity), string(b.Severity)) })
		r.d.Diagnostics = r.d.Diagnostics[:maxDiagnostics]
	}
	r.d.PageCount = report.Pages
	r.reportKept(report.Diagnostics)
	if err := verdict(report); err != nil {
		return err
	}
	if err := r.hold(live, manifest, report.Unread); err != nil {
		return err
	}
	if err := r.keepSource(ctx, p, src.Source, report.Copies); err != nil {
		return err
	}
	if err := r.buildVersions(ctx, p, &manifest, known); err != nil {
		return err
	}
	if err := r.keep(ctx, manifest); err != nil {
		return err
	}
	if r.d.Trigger == deploy.Pull && r.d.Compared == nil {
		r.d.Changed = changedPages(live, manifest)
	}
	r.d.Offers = r.Offers.String()
	r.logLine(fmt.Sprintf("Published; pages: %d, files: %d.", report.Pages, len(manifest.Files)))
	err = r.Store.PublishDeployment(ctx, r.h, r.d)
	if lost := (task.Lost{}); err != nil && !errors.As(err, &lost) {
		r.made = nil // unknown whether the row refers to them: the database's response may have been lost
	}
	return err
}

// keepSource stores a copy of the source, and of the API descriptions fetched from other hosts, for exports and later
// updates.
func (r *run) keepSource(ctx context.Context, p project.Project, src *snapshot.Source, copies []openapi.Copy) error {
	key := snapshot.Key(p.ID, fmt.Sprintf("%s-%d", r.d.ID, r.h.Fence))
	r.made = append(r.made, key)
	if err := r.Source.Save(ctx, key, src, r.dated(copies)); err != nil {
		return err
	}
	r.d.SnapshotKey = key
	return nil
}

// build builds and stores the site. from is the state to compare it with; nil = none.
func (r *run) build(ctx context.Context, p project.Project, src *snapshot.Source, known known, from *base) (
	report *build.Report, next deploy.Manifest, err error) {
	get, err := r.descriptions(src.FS, p)
	if err != nil {
		return nil, next, err
	}
	r.logLine("Building the site.")
	origin, base, err := r.address(ctx, p)
	if err != nil {
		return nil, next, err
	}
	opt := r.options(origin, base)
	opt.Modified, opt.Commit, opt.Fetch, opt.Kept = snapshot.Modified(src.FS), r.d.Commit, get, r.lastGood(p)
	opt.Repository, opt.Now = r.repository(p, r.plan.branch()), build.Day(r.d.CreatedAt)
	opt.VersionName = r.plan.defaultName()
	if session := r.Cache.Begin(); session != nil {
		defer session.Close() // also after a failure: the rendered results are valid
		opt.Cache, opt.Program = session, session.Program()
	}
	if report, next, err = r.buildAll(ctx, p, src, opt, "", known, from); err != nil {
		return report, next, err
	}
	r.d.Translations, err = findTranslations(ctx, src.FS)
	return report, next, err
}

// options returns the options shared by all builds of a site. origin and base are the address of its pages.
func (r *run) options(origin, base string) build.Options {
	return build.Options{
		Offers: r.offers(), MCP: r.agents(origin), BaseURL: origin, BasePath: base, Links: link.Clean, Tool: r.Tool,
		Tools: r.Press, Scripts: r.Scripts, ErrorPages: true, Cards: true, ResponsiveImages: true,
	}
}

// buildAll builds and stores a site for all its readers. Names of packs and manifests end in suffix. from is the
// state to compare it with; nil = none.
func (r *run) buildAll(ctx context.Context, p project.Project, src *snapshot.Source, opt build.Options, suffix string,
	known known, from *base) (report *build.Report, next deploy.Manifest, err error) {
	work, remove, err := r.Scratch.Folder("build")
	if err != nil {
		return nil, next, err
	}
	defer func() { _ = remove() }() // removed when the process ends, if not here
	opt.Scratch = work
	report, next, err = r.buildView(ctx, p, src, opt, suffix, known, from)
	if err != nil {
		return nil, next, err
	}
	next.Groups = report.Groups
	if verdict(report) != nil {
		return report, next, nil
	}
	if from != nil {
		if err := r.compare(ctx, p, from, src, opt, report, &next); err != nil {
			return report, next, err
		}
	}
	next.Views, err = r.buildViews(ctx, p, src, opt, suffix, next, known)
	return report, next, err
}

// address returns the site's canonical origin and the path below which it is served. Previews have their own host.
func (r *run) address(ctx context.Context, p project.Project) (origin, base string, err error) {
	domains, err := r.Store.ListProjectDomains(ctx, p.ID)
	if err != nil {
		return "", "", err
	}
	domain := project.Address(domains)
	if r.d.Kind == deploy.Production {
		base = project.PathOf(domain)
	}
	return r.SiteURL(domain), base, nil
}

// repository returns where readers find the site's sources on a branch, "" = the project's own. It is zero if that is
// unknown, and for a tag, whose files cannot be edited.
func (r *run) repository(p project.Project, branch string) (out site.Repository) {
	if r.Repository == nil || strings.HasPrefix(branch, "refs/") {
		return out
	}
	if branch != "" {
		p.Source.Branch = branch
	}
	return r.Repository(p)
}

// offers returns the site's features. Previews are not public: their server does not forward playground requests
// (F5).
func (r *run) offers() capability.Offers {
	out := r.Offers
	if r.d.Kind == deploy.Preview {
		out.Playground.Proxy = capability.NoProxy
	}
	return out
}

// agents returns the URL of the site's MCP server, or "" if it has none.
func (r *run) agents(origin string) string {
	if !r.Offers.Search {
		return ""
	}
	return origin + deploy.AgentPath
}

// keep stores the manifest of the deployment.
func (r *run) keep(ctx context.Context, m deploy.Manifest) (err error) {
	r.d.ManifestKey, err = r.storeManifest(ctx, m, "")
	return err
}

func (r *run) logLine(message string) {
	r.d.Logs = append(r.d.Logs, deploy.LogLine{At: r.Now().UTC(), Message: message})
}
