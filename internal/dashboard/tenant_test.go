package dashboard_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/export"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/domain/task"
	"github.com/lectern-docs/lectern/internal/foundation/diag"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const bundleBytes = "not really an archive"

// tenant is an organization with one object of every kind.
type tenant struct {
	org       account.Organization
	key       string // a secret with all scopes
	keyID     string
	project   project.Project // its repository exists on no server
	folder    project.Project // its source is an existing folder
	older     deploy.Deployment
	live      deploy.Deployment // of project, published after older
	failed    deploy.Deployment
	preview   deploy.Deployment
	done      export.Job // completed
	queued    export.Job
	agentJob  agentjob.Job // active
	agentDone agentjob.Job // completed, with an open pull request
	comment   proposal.Comment
	proposal  proposal.Proposal // open; its branch is in no repository, see propose for a real one
}

// seed is what every rig starts with: a database with two tenants and their people.
type seed struct {
	database []byte
	a, b     tenant
	people   map[string]somebody
}

var (
	seedOnce sync.Once
	theSeed  seed
)

// seeded returns the seed. Creating it takes longer than most tests, so each process does it once.
func seeded(t testing.TB) seed {
	t.Helper()
	seedOnce.Do(func() {
		r := &rig{t: t, clock: newClock(), ids: id.Source{Rand: rand.Reader}}
		empty, err := os.ReadFile(storetest.SQLite(t, filepath.Join(t.TempDir(), "empty.db")))
		must(t, err)
		r.open(empty)
		a, b := r.newTenant("a", account.PlanEnterprise), r.newTenant("b", account.PlanEnterprise)
		people := map[string]somebody{"foreign": *r.newPerson("foreign@example.com", b.org.ID, account.RoleOwner)}
		for _, role := range account.Roles()[:4] { // tests that need guests create them
			people[string(role)] = *r.newPerson(string(role)+"@example.com", a.org.ID, role)
		}
		must(t, r.store.Close()) // merges the log into the file
		database, err := os.ReadFile(r.dbFile)
		must(t, err)
		theSeed = seed{database, *a, *b, people}
	})
	if theSeed.database == nil {
		t.Fatal("the first test could not create the seed")
	}
	return theSeed
}

// adopt adds what a seeded tenant needs outside its database: a folder and bundles.
func (r *rig) adopt(x tenant) *tenant {
	r.t.Helper()
	x.folder.Source.Path = newFolder(r.t)
	_, err := r.store.SQLite().ExecContext(r.t.Context(), `UPDATE projects SET source_path = $1 WHERE id = $2`,
		x.folder.Source.Path, x.folder.ID)
	must(r.t, err)
	for _, b := range x.done.Bundles {
		_, err := r.blob.Put(r.t.Context(), b.Key, strings.NewReader(bundleBytes))
		must(r.t, err)
	}
	return &x
}

// newFolder returns a folder with a site of one page.
func newFolder(t testing.TB) string {
	t.Helper()
	return worktest.Write(t, map[string]string{"docs.json": `{"name": "Folder", "navigation": {"pages": ["index"]}}`,
		"index.mdx": "---\ntitle: Start\n---\n\nOld words.\n"})
}

// newTenant creates an organization whose projects have domains below name.example.
func (r *rig) newTenant(name string, plan account.Plan) *tenant {
	r.t.Helper()
	x, ctx := &tenant{org: r.newOrganization(name, plan)}, r.t.Context()
	must(r.t, r.store.Tx(ctx, func(tx *store.Tx) (err error) {
		p := project.Project{OrganizationID: x.org.ID, Name: name, Domains: []string{"docs." + name + ".example"},
			Source: project.Source{Repository: "https://git.example.com/" + name + "/docs.git", Branch: "main"}}
		if x.project, err = tx.CreateProject(ctx, p); err != nil {
			return err
		}
		p.Name, p.Domains = name+" folder", []string{"folder." + name + ".example"}
		p.Source = project.Source{Path: newFolder(r.t)}
		if x.folder, err = tx.CreateProject(ctx, p); err != nil {
			return err
		}
		want := agentjob.Job{OrganizationID: x.org.ID, ProjectID: x.project.ID, Repository: x.project.Source.URL(),
			Model: "example-model"}
		for _, j := range []*agentjob.Job{&x.agentJob, &x.agentDone} {
			if *j, err = tx.CreateAgentJob(ctx, want,
				agentjob.Entry{Author: "key_x", Text: "Fix broken links."}); err != nil {
				return err
			}
		}
		x.proposal, err = tx.CreateProposal(ctx, proposal.Proposal{OrganizationID: x.org.ID, ProjectID: x.project.ID,
			Title: "Fix links", Head: "lectern/0", Base: "main"})
		if err != nil {
			return err
		}
		x.comment, err = tx.CreateProposalComment(ctx, proposal.Comment{OrganizationID: x.org.ID,
			ProposalID: x.proposal.ID, File: "index.mdx", Side: proposal.New, Line: 1, Last: 1, Body: "Why?",
			Author: "key_x"})
		return err
	}))
	x.key, x.keyID = r.newKey(x.org.ID, nil)
	x.older = r.publish(r.deploy(x.project, deploy.Production, ""))
	x.live = r.publish(r.deploy(x.project, deploy.Production, ""))
	x.failed = r.fail(r.deploy(x.project, deploy.Production, ""))
	x.preview = r.publish(r.deploy(x.project, deploy.Preview, "words"))
	x.agentDone = r.finishAgentJob(x.agentDone)
	x.done = r.finishExport(r.newExport(x.project, "v1 beta/2"))
	x.queued = r.newExport(x.project, "v2")
	return x
}

// newOrganization creates an empty organization.
func (r *rig) newOrganization(name string, plan account.Plan) (o account.Organization) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(r.t.Context(), name, plan)
		return err
	}))
	return o
}

// newKey stores a key as an owner would have created it, with changes.
func (r *rig) newKey(organizationID string, change func(*account.Key)) (secret, keyID string) {
	r.t.Helper()
	k, err := account.NewKey(organizationID, account.Request{}, r.clock.Now().Add(-2*time.Hour))
	must(r.t, err)
	k.Scopes = account.Scopes()
	secret = account.NewSecret(rand.Reader)
	k.Prefix, k.Hash = account.Visible(secret), account.NewHasher(master).Hash(secret)
	if change != nil {
		change(&k)
	}
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		k, err = tx.CreateKey(r.t.Context(), k)
		return err
	}))
	return secret, k.ID
}

// deploy queues a deployment.
func (r *rig) deploy(p project.Project, kind deploy.Kind, branch string) (d deploy.Deployment) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(r.t.Context(), p, kind, branch, "api")
		return err
	}))
	return d
}

// hold takes the task with that id, the way a worker would, and leaves the others in the queue.
func (r *rig) hold(kind task.Kind, taskID string) task.Hold {
	r.t.Helper()
	var others []task.Hold
	defer func() {
		for _, h := range others {
			must(r.t, r.store.ReleaseTask(r.t.Context(), h, nil))
		}
	}()
	for {
		got, ok, err := r.store.TakeTask(r.t.Context(), "test", lease, false, kind)
		must(r.t, err)
		if !ok {
			r.t.Fatalf("task %s is not queued", taskID)
		}
		h := task.Hold{TaskID: got.ID, Fence: got.Fence}
		if got.ID == taskID {
			return h
		}
		others = append(others, h)
	}
}

// begin takes a queued deployment and starts it.
func (r *rig) begin(d deploy.Deployment) (task.Hold, deploy.Deployment) {
	r.t.Helper()
	h := r.hold(task.Deploy, d.ID)
	d, err := r.store.StartDeployment(r.t.Context(), h, lease)
	must(r.t, err)
	return h, d
}

// publish completes a queued deployment successfully.
func (r *rig) publish(d deploy.Deployment) deploy.Deployment {
	r.t.Helper()
	h, d := r.begin(d)
	d.Commit, d.PageCount, d.ManifestKey = strings.Repeat("c0ffee", 6)+"1234", 3, "manifest/x"
	d.Logs = []deploy.LogLine{{At: r.clock.Now(), Message: "3 pages written"}}
	d.Diagnostics = diag.List{{File: "index.mdx", Line: 1, Column: 2, Severity: diag.Warning, Code: "long_title",
		Message: "The title is long."}}
	must(r.t, r.store.PublishDeployment(r.t.Context(), h, d))
	return r.deployment(d.ID)
}

// fail lets a queued deployment fail.
func (r *rig) fail(d deploy.Deployment) deploy.Deployment {
	r.t.Helper()
	h, d := r.begin(d)
	d.Commit, d.Error = strings.Repeat("badcab", 6)+"1234", "The site has 1 error."
	d.Logs = []deploy.LogLine{{At: r.clock.Now(), Message: "fetched main"},
		{At: r.clock.Now(), Message: "the build found <b>errors</b>"}}
	d.Diagnostics = diag.List{{File: "guide/start.mdx", Line: 7, Column: 3, Severity: diag.Error, Code: "unclosed_tag",
		Message: "<Card> is not closed.", Hint: "Add </Card>."}}
	must(r.t, r.store.FailDeployment(r.t.Context(), h, d))
	return r.deployment(d.ID)
}

func (r *rig) deployment(deploymentID string) deploy.Deployment {
	r.t.Helper()
	d, err := r.store.FindDeploymentByID(r.t.Context(), deploymentID)
	must(r.t, err)
	return d
}

// newExport queues an export of a project's first domain.
func (r *rig) newExport(p project.Project, version string) (j export.Job) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(), func(tx *store.Tx) (err error) {
		j, err = tx.CreateExport(r.t.Context(),
			export.Job{OrganizationID: p.OrganizationID, ProjectID: p.ID, Domain: p.Domains[0], Version: version})
		return err
	}))
	return j
}

// startExport takes a queued export and advances it to half.
func (r *rig) startExport(j export.Job) task.Hold {
	r.t.Helper()
	h := r.hold(task.Export, j.ID)
	_, err := r.store.StartExport(r.t.Context(), h, lease)
	must(r.t, err)
	_, err = r.store.AdvanceExport(r.t.Context(), h, lease,
		store.ExportProgress{Progress: 50, PageCount: 2, Stage: export.StagePages, Commit: strings.Repeat("ab", 20)})
	must(r.t, err)
	return h
}

// finishExport completes a queued export successfully.
func (r *rig) finishExport(j export.Job) export.Job {
	r.t.Helper()
	h := r.startExport(j)
	sum := sha256.Sum256([]byte(bundleBytes))
	var bundles []export.Bundle
	for _, f := range []export.Format{export.TarGz, export.Zip} {
		b := export.Bundle{Format: f, Key: "bundle/" + j.ID + "." + string(f), Size: int64(len(bundleBytes)),
			SHA256: hex.EncodeToString(sum[:])}
		_, err := r.blob.Put(r.t.Context(), b.Key, strings.NewReader(bundleBytes))
		must(r.t, err)
		bundles = append(bundles, b)
	}
	must(r.t, r.store.CompleteExport(r.t.Context(), h, 3, bundles))
	j, err := r.store.FindExportByID(r.t.Context(), j.ID)
	must(r.t, err)
	return j
}

// finishAgentJob completes an active agent job successfully.
func (r *rig) finishAgentJob(j agentjob.Job) agentjob.Job {
	r.t.Helper()
	h := r.hold(task.Agent, j.ID)
	_, err := r.store.StartAgentJob(r.t.Context(), h, lease)
	must(r.t, err)
	_, err = r.store.RecordAgent(r.t.Context(), h, lease,
		store.AgentProgress{Ref: agentjob.Branch(j.ID, "Fix broken links."), BaseCommit: "c1", HeadCommit: "c2",
			Title: "Fix links", Summary: "Two links were broken.", PRLink: "https://git.example.com/docs/pulls/7",
			PRNumber: 7, PRState: agentjob.PullOpen},
		agentjob.Entry{Kind: agentjob.Answer, Text: "I look.",
			Calls: []agentjob.Call{{ID: "1", Name: "check", Input: []byte(`{"a":"<b>"}`)}, {ID: "2", Name: "finish"}},
			Used:  agentjob.Use{Steps: 1, InputTokens: 100, OutputTokens: 20, CostMicros: 1500}},
		agentjob.Entry{Kind: agentjob.Results,
			Results: []agentjob.Result{{CallID: "1", Text: "two\nlines"}, {CallID: "2", Text: "no", Failed: true}}},
		agentjob.Entry{Kind: agentjob.Note, Code: "pull_opened", Text: "The pull request is open."})
	must(r.t, err)
	must(r.t, r.store.CompleteAgentJob(r.t.Context(), h, 4, agentjob.Changed))
	j, err = r.store.FindAgentJobByID(r.t.Context(), j.ID)
	must(r.t, err)
	return j
}

// propose pushes changes to a branch on the embedded code host and opens a proposal for them; the project's source is a
// folder.
func (r *rig) propose(p project.Project, branch string, changes ...draft.Change) proposal.Proposal {
	r.t.Helper()
	ctx := r.t.Context()
	remote, err := r.home.Prepare(ctx, p)
	must(r.t, err)
	snap, err := r.git.Checkout(ctx, remote, "", r.t.TempDir())
	must(r.t, err)
	_, err = r.git.Propose(ctx, remote,
		git.Proposal{Parent: snap.Commit, Branch: branch, Message: "Fix", Changes: changes, When: r.clock.Now()})
	must(r.t, err)
	got, err := r.home.Host(p, remote).Open(ctx, pull.Request{Title: "Fix things", Head: branch, Base: snap.Branch})
	must(r.t, err)
	made, err := r.store.FindProposalByNumber(ctx, p.ID, got.Number)
	must(r.t, err)
	return made
}

// auditEvents returns an organization's audit records, oldest first, as "actor action target".
func (r *rig) auditEvents(organizationID string) (lines []string) {
	r.t.Helper()
	list, err := r.store.ListEvents(r.t.Context(), organizationID, 0, 10_000)
	must(r.t, err)
	for _, e := range list {
		lines = append(lines, fmt.Sprint(e.Actor, " ", e.Action, " ", e.Target))
	}
	return lines
}

// form returns an empty form with a person's form token; an anonymous visitor has none.
func (r *rig) form(who string) url.Values {
	out := url.Values{}
	if s := r.people[who]; s != nil {
		out.Set("csrf", account.FormToken(s.token))
	}
	return out
}

// setRole changes a person's role.
func (r *rig) setRole(who string, role account.Role) {
	r.t.Helper()
	must(r.t, r.store.Tx(r.t.Context(),
		func(tx *store.Tx) error { return tx.SetRole(r.t.Context(), r.people[who].member, role) }))
}
