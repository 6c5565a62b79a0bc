package adminapi_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/merge"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/forge/local"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/source/localdir"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// headCommit is the head of a proposal's branch.
const headCommit = "c0ffee0000000000000000000000000000000000"

// deciding changes the state of proposals in the real store, without a repository behind them.
type deciding struct {
	store   *store.Store
	now     func() time.Time
	changes []draft.Change
	head    string // "" = headCommit
	kept    []string
	refuse  error // nil = the decision succeeds
}

func (d *deciding) move(ctx context.Context, proposalID, by, requestID, verb string,
	to proposal.State) (p proposal.Proposal, err error) {
	if d.refuse != nil {
		return p, d.refuse
	}
	err = d.store.Tx(ctx, func(tx *store.Tx) error {
		if p, err = tx.FindProposal(ctx, proposalID); err != nil || p.State == to {
			return err
		}
		if p, err = tx.MoveProposal(ctx, p, to, by, "c0ffee"); err != nil {
			return err
		}
		return tx.Record(ctx, event.New(p.OrganizationID, by, "proposal."+verb, p.ID, requestID, d.now(), nil))
	})
	return p, err
}

func (d *deciding) Merge(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error) {
	return d.move(ctx, proposalID, by, requestID, "merge", proposal.Merged)
}

func (d *deciding) Close(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error) {
	return d.move(ctx, proposalID, by, requestID, "close", proposal.Closed)
}

func (d *deciding) record(ctx context.Context, tx *store.Tx, p proposal.Proposal, by, requestID, verb string) error {
	return tx.Record(ctx, event.New(p.OrganizationID, by, "proposal."+verb, p.ID, requestID, d.now(), nil))
}

func (d *deciding) Apply(ctx context.Context, proposalID, commentID, by, requestID string) (cm proposal.Comment,
	err error) {
	if d.refuse != nil {
		return cm, d.refuse
	}
	err = d.store.Tx(ctx, func(tx *store.Tx) error {
		p, err := tx.FindProposal(ctx, proposalID)
		if err != nil {
			return err
		}
		if cm, err = tx.ApplyProposalComment(ctx, p.OrganizationID, p.ID, commentID, by, headCommit); err != nil {
			return err
		}
		return d.record(ctx, tx, p, by, requestID, "edit")
	})
	return cm, err
}

func (d *deciding) Update(ctx context.Context, proposalID, by, requestID string) (p proposal.Proposal, err error) {
	if d.refuse != nil {
		return p, d.refuse
	}
	err = d.store.Tx(ctx, func(tx *store.Tx) error {
		if p, err = tx.FindProposal(ctx, proposalID); err != nil {
			return err
		}
		return d.record(ctx, tx, p, by, requestID, "update")
	})
	return p, err
}

func (d *deciding) Keep(ctx context.Context, proposalID string, files []string, seen, by,
	requestID string) (proposal.Proposal, error) {
	d.kept = append([]string{seen}, files...)
	return d.Update(ctx, proposalID, by, requestID)
}

func (d *deciding) Changes(context.Context, string) ([]draft.Change, proposal.Position, error) {
	return d.changes, proposal.Position{Commit: cmp.Or(d.head, headCommit), Behind: 2}, d.refuse
}

// An unreadable repository does not hide the proposal; an unresponsive one is reported.
func TestProposalIsReturnedWithoutUnreadableChanges(t *testing.T) {
	m := &deciding{}
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) { m.store, m.now, o.Merger = o.Store, o.Now, m })
	get, merge := agentAsk(x, "GET", "/proposal/"+x.proposal.ID, ""),
		agentAsk(x, "POST", "/proposal/"+x.proposal.ID+"/merge", "")
	for _, kind := range []fault.Kind{fault.NotFound, fault.TooLarge} {
		m.refuse = fault.New(kind, "x", "No.")
		if got := w.do(t, get).want(t, 200).object(t); got["files"] != nil || got["patch"] != nil ||
			got["title"] != "Fix links" {
			t.Errorf("%v", got)
		}
	}
	m.refuse = fault.New(fault.Unavailable, "git_failed", "The repository could not be fetched.")
	w.do(t, get).want(t, 503)
	w.do(t, merge).want(t, 503)
	m.refuse = fault.New(fault.Conflict, "merge_conflict", "main changed in the same places.")
	if got := w.do(t, merge).want(t, 409); got.code(t) != "merge_conflict" {
		t.Errorf("%s", got.body)
	}
}

// End to end with real parts: a proposal in a folder's repository is read and merged, its changes are written to the
// folder, and the agent job is updated.
func TestProposalIsMergedIntoSourceFolder(t *testing.T) {
	b := worktest.New(t)
	home := &local.Home{Git: b.Source.Git, Dir: b.Source.Own, Source: b.Source, Scratch: b.Scratch.Folder,
		Proposals: merge.Ledger{Store: b.Store, Now: b.Now},
		Link: func(project, id string) string {
			return "http://localhost/dashboard/projects/" + project + "/proposals/" + id
		}, Now: b.Now}
	w := newWorld(t, func(o *adminapi.Options) {
		o.Store, o.Merger = b.Store, &merge.Merger{Store: b.Store, Home: home, Local: localdir.Anywhere, Now: b.Now}
	})
	w.store = b.Store
	dir := worktest.Write(t, map[string]string{"docs.json": "{}", "index.mdx": "# One\n"})
	x := tenant{org: b.Organization, project: b.Project(t, "docs.a.example", project.Source{Path: dir})}
	x.key, x.keyID = w.newKey(t, x.org.ID, nil)
	made := w.do(t, agentAsk(x, "POST", "/job", `{"prompt":"fix it"}`)).want(t, 201).object(t)["id"].(string)

	remote, err := home.Prepare(t.Context(), x.project)
	must(t, err)
	snap, err := b.Source.Git.Checkout(t.Context(), remote, "", t.TempDir())
	must(t, err)
	head := agentjob.Branch(made, "fix it")
	_, err = b.Source.Git.Propose(t.Context(), remote,
		git.Proposal{Parent: snap.Commit, Branch: head, Message: "Fix", When: b.Now(),
			Changes: []draft.Change{{Path: "index.mdx", Before: []byte("# One\n"), After: []byte("# Two\n")}}})
	must(t, err)
	opened, err := home.Host(x.project, remote).
		Open(t.Context(), pull.Request{Title: "Fix", Head: head, Base: snap.Branch})
	must(t, err)
	h := w.hold(t, made)
	_, err = w.store.RecordAgent(t.Context(), h, lease,
		store.AgentProgress{Ref: head, PRLink: opened.URL, PRNumber: opened.Number, PRState: agentjob.PullOpen})
	must(t, err)
	must(t, w.store.CompleteAgentJob(t.Context(), h, 1, agentjob.Changed))

	list := w.do(t, agentAsk(x, "GET", "/proposals", "")).want(t, 200).object(t)["proposals"].([]any)
	at := "/proposal/" + list[0].(map[string]any)["id"].(string)
	if got := w.do(t, agentAsk(x, "GET", at, "")).
		want(t, 200); !strings.Contains(string(got.body), `-# One\n+# Two\n`) {
		t.Errorf("%s", got.body)
	}
	previewOf := func() any {
		got := w.do(t, agentAsk(x, "GET", at, "")).want(t, 200).object(t)
		if got["jobId"] != made {
			t.Errorf("job %v, want %s", got["jobId"], made)
		}
		return got["previewUrl"]
	}
	var d deploy.Deployment
	must(t, w.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		d, err = tx.QueueDeployment(t.Context(), x.project, deploy.Preview, head, "agent")
		return err
	}))
	if got := previewOf(); got != nil {
		t.Errorf("preview before it is ready: %v", got)
	}
	h = w.hold(t, d.ID)
	d, err = w.store.StartDeployment(t.Context(), h, lease)
	must(t, err)
	d.ManifestKey = "manifest/x"
	must(t, w.store.PublishDeployment(t.Context(), h, d))
	if got := previewOf(); got != "http://"+deploy.HostLabel(d.ID)+".preview.localhost:8080" {
		t.Errorf("preview %v", got)
	}
	w.do(t, agentAsk(x, "POST", at+"/merge", "")).want(t, 200)
	w.do(t, agentAsk(x, "POST", at+"/merge", "")).want(t, 200)
	if got := previewOf(); got != nil {
		t.Errorf("a merged proposal has the preview %v", got)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "index.mdx")); err != nil || string(text) != "# Two\n" {
		t.Errorf("the folder has %q (error %v)", text, err)
	}
	job := w.do(t, agentAsk(x, "GET", "/job/"+made, "")).want(t, 200).object(t)
	if job["status"] != "completed" || job["pullRequest"].(map[string]any)["state"] != "merged" {
		t.Errorf("%v", job)
	}
}

func TestProposalIncludesItsChanges(t *testing.T) {
	m := &deciding{changes: []draft.Change{
		{Path: "a.mdx", Before: []byte("one\ntwo\n"), After: []byte("one\n<2> & 3\n")},
		{Path: "b.mdx", After: []byte("new\n")},
		{Path: "c.png", Before: []byte{0, 1, 0xff}},
	}}
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		m.store, m.now, o.Merger, o.PublicURL = o.Store, o.Now, m, "https://docs.example.com/"
	})
	got := w.do(t, agentAsk(x, "GET", "/proposal/"+x.proposal.ID, "")).want(t, 200)
	for _, part := range []string{`"number":1,"state":"open","draft":false,"title":"Fix links"`,
		`"link":"https://docs.example.com/dashboard/projects/` + x.project.ID + `/proposals/` + x.proposal.ID +
			`","previewUrl":null,"jobId":null`,
		`"files":[{"path":"a.mdx","from":null,"change":"changed","binary":false,"added":1,"removed":1},{"path":"b.mdx","from":null,"change":"added","binary":false,"added":1,"removed":0},{"path":"c.png","from":null,"change":"removed","binary":true,"added":0,"removed":0}]`,
		`+<2> & 3\n`, `"mergeCommit":null,"decidedBy":null`} {
		if !strings.Contains(string(got.body), part) {
			t.Errorf("%s is missing in %s", part, got.body)
		}
	}
	m.changes = append(m.changes, draft.Change{Path: "big.mdx", After: []byte(strings.Repeat("long line\n", 1<<20))})
	if got := w.do(t, agentAsk(x, "GET", "/proposal/"+x.proposal.ID, "")).want(t, 200).object(t); got["patch"] != nil ||
		len(got["files"].([]any)) != 4 {
		t.Errorf("a huge patch was returned")
	}
	list := w.do(t, agentAsk(x, "GET", "/proposals?limit=1", "")).want(t, 200).object(t)
	if first := list["proposals"].([]any)[0].(map[string]any); first["files"] != nil || list["nextCursor"] == nil {
		t.Errorf("%v", list)
	}
}

// D8, G4, A8: merging and closing are recorded with the actor; a proposal can be accessed only through its own
// project.
func TestProposalsCanBeMergedOrClosed(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	merged := w.do(t, agentAsk(x, "POST", "/proposal/"+x.proposal.ID+"/merge", "")).want(t, 200).object(t)
	if merged["state"] != "merged" || merged["mergeCommit"] != "c0ffee" || merged["decidedBy"] != x.keyID {
		t.Errorf("%v", merged)
	}
	w.do(t, agentAsk(x, "POST", "/proposal/"+x.proposal.ID+"/merge", "")).want(t, 200)
	if closed := w.do(t, agentAsk(x, "POST", "/proposal/"+x.second.ID+"/close", "")).want(t, 200).
		object(t); closed["state"] != "closed" {
		t.Errorf("%v", closed)
	}
	for _, rest := range []string{x.proposal.ID + "/close", x.second.ID + "/merge"} {
		if got := w.do(t, agentAsk(x, "POST", "/proposal/"+rest, "")).want(t, 409); got.code(t) != "wrong_state" {
			t.Errorf("%s", got.body)
		}
	}
	x.project = x.folder
	w.do(t, agentAsk(x, "GET", "/proposal/"+x.proposal.ID, "")).want(t, 404)
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 100)
	must(t, err)
	var seen []string
	for _, e := range events {
		if strings.HasPrefix(e.Action, "proposal.") {
			seen = append(seen, e.Action+" "+e.Actor)
		}
	}
	if want := fmt.Sprint([]string{"proposal.merge " + x.keyID,
		"proposal.close " + x.keyID}); fmt.Sprint(seen) != want {
		t.Errorf("recorded %v, want %v", seen, want)
	}
}
