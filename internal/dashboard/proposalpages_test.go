package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/domain/proposal"
	"github.com/lectern-docs/lectern/internal/site/draft"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
)

const startPage = "---\ntitle: Start\n---\n\nOld words.\n"

func proposalAt(p proposal.Proposal) string { return proposal.Page(p.ProjectID, p.ID) }

// reword returns a change to the folder's start page.
func reword(to string) draft.Change {
	return draft.Change{Path: "index.mdx", Before: []byte(startPage),
		After: []byte(strings.Replace(startPage, "Old", to, 1))}
}

func TestProposalIsShownWithItsChanges(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"), draft.Change{Path: "guides/a b.mdx",
		After: []byte("<script>alert(1)</script>\n")}, draft.Change{Path: "logo.png", After: []byte{0, 1}},
		draft.Change{Path: "empty.mdx", After: []byte{}})
	status, body := r.get("editor", proposalAt(p))
	showsAll(t, "open", status, 200, body, "Fix things", "#1", `data-state="open"`, "<code>lectern/words</code>",
		"<del><mark>Old</mark> words.</del>", "<ins><mark>New</mark> words.</ins>",
		"<ins>&lt;script&gt;alert(1)&lt;/script&gt;</ins>", "This is not a text file.", "The file is empty.",
		"4 changed files", ">Merge</button>", "Close proposal", "/v2/agent/"+r.a.folder.ID+"/proposal/"+p.ID+"/merge")
	showsNone(t, "open", body, "Preview of the site", "View page", "Agent job")
	showsPlain(t, "open", body)

	d := r.publish(r.deploy(r.a.folder, deploy.Preview, "lectern/words"))
	_, body = r.get("editor", proposalAt(p))
	site := "http://" + deploy.HostLabel(d.ID) + ".preview.localhost:8080"
	showsAll(t, "with a preview", 200, 200, body, `href="`+site+`"`, `href="`+site+`/guides/a%20b"`)

	status, body = r.get("viewer", "/dashboard/projects/"+r.a.folder.ID+"/proposals")
	showsAll(t, "list", status, 200, body, proposalAt(p), "Fix things", `data-state="open"`, "lectern/words")
	status, body = r.get("viewer", "/dashboard/projects/"+r.b.folder.ID+"/proposals")
	showsAll(t, "list of another organization", status, http.StatusNotFound, body)
}

// A merge goes through the API: the folder contains the change, the site is published, and the audit log contains the
// person's name.
func TestProposalIsMerged(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"))
	r.clock.Advance(time.Minute)
	status, to := r.post("editor", proposalAt(p)+"/merge", nil)
	if status != http.StatusSeeOther || to != proposalAt(p)+"?did=proposal-merged" {
		t.Fatalf("%d %s", status, to)
	}
	if got, err := os.ReadFile(filepath.Join(r.a.folder.Source.Path, "index.mdx")); err != nil ||
		!strings.Contains(string(got), "New words.") {
		t.Errorf("the folder has %q, error %v", got, err)
	}
	_, body := r.get("editor", to)
	showsAll(t, "merged", 200, 200, body, "The proposal was merged.", `data-state="merged"`,
		"merged by editor@example.com", "It is being published", "/dashboard/deployments/dep_", "data-live",
		"<ins><mark>New</mark> words.</ins>")
	showsNone(t, "merged", body, ">Merge</button>")
	list, _, err := r.store.ListDeployments(t.Context(), r.a.org.ID, r.a.folder.ID, deploy.Production,
		store.Page{Limit: 10})
	must(t, err)
	r.publish(list[0])
	_, body = r.get("viewer", proposalAt(p))
	showsAll(t, "published", 200, 200, body, "It is published", "/dashboard/deployments/"+list[0].ID,
		`href="http://folder.a.example:8080"`, `href="http://folder.a.example:8080/index"`)
	showsNone(t, "published", body, " data-live>")
	status, body = r.post("editor", proposalAt(p)+"/close", nil)
	showsAll(t, "closed afterwards", status, http.StatusConflict, body, `role="alert"`, "merged",
		"has already merged or closed it")
	if status, to := r.get("editor", proposalAt(p)+"/merge"); status != http.StatusSeeOther || to != proposalAt(p) {
		t.Errorf("the form's address: %d %s", status, to)
	}
}

func TestProposalIsClosed(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"))
	if status, to := r.post("editor", proposalAt(p)+"/close", nil); status != http.StatusSeeOther ||
		to != proposalAt(p)+"?did=proposal-closed" {
		t.Fatalf("%d %s", status, to)
	}
	_, body := r.get("editor", proposalAt(p)+"?did=proposal-closed")
	showsAll(t, "closed", 200, 200, body, `data-state="closed"`, "None of its changes were applied",
		"The proposal was closed.")
	showsNone(t, "closed", body, ">Merge</button>")
}

// If something prevents a merge, the page explains it and what to do, and the proposal stays open.
func TestImpossibleMergeIsExplained(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"))
	must(t, os.WriteFile(filepath.Join(r.a.folder.Source.Path, "index.mdx"),
		[]byte(strings.Replace(startPage, "Old", "Other", 1)), 0o600))
	status, body := r.post("editor", proposalAt(p)+"/merge", nil)
	showsAll(t, "conflict", status, http.StatusConflict, body, `role="alert"`, "index.mdx",
		"Ask the agent to redo its work", `data-state="open"`, ">Merge</button>")
	if got, err := os.ReadFile(filepath.Join(r.a.folder.Source.Path, "index.mdx")); err != nil ||
		!strings.Contains(string(got), "Other words.") {
		t.Errorf("the folder has %q, error %v", got, err)
	}
}

// A proposal whose branch no longer exists is still shown, with the reason why it has no changes.
func TestProposalWithoutItsBranchIsStillShown(t *testing.T) {
	r := newRig(t)
	status, body := r.get("editor", proposalAt(r.a.proposal))
	showsAll(t, "gone", status, 200, body, "Fix links", "The changes cannot be shown")
	showsNone(t, "gone", body, "There is nothing left to change")
}

func TestHostileProposalsAreEscaped(t *testing.T) {
	r := newRig(t)
	var p proposal.Proposal
	must(t, r.store.Tx(t.Context(), func(tx *store.Tx) (err error) {
		p, err = tx.CreateProposal(t.Context(), proposal.Proposal{OrganizationID: r.a.org.ID, ProjectID: r.a.folder.ID,
			Title: evil, Head: "lectern/" + evil, Base: evil,
			Body: "# " + evil + "\n\n**" + evil + "** `" + evil +
				"`\n- [two](javascript:alert(1)) https://x.example/a.\n\n---\n"})
		return err
	}))
	for _, path := range []string{proposalAt(p), "/dashboard/projects/" + r.a.folder.ID + "/proposals",
		"/dashboard/projects/" + r.a.folder.ID + "/agent"} {
		status, body := r.get("editor", path)
		showsAll(t, path, status, 200, body, "&lt;img src=x")
		showsPlain(t, path, body)
	}
	_, body := r.get("editor", proposalAt(p))
	showsAll(t, "body", 200, 200, body,
		`<a href="https://x.example/a" rel="noreferrer nofollow">https://x.example/a</a>.`,
		"[two](javascript:alert(1))", "<hr>")
}

// However large a proposal is, the page stays within its limits and says what it omits.
func TestHugeProposalIsTruncated(t *testing.T) {
	m := &deciding{}
	r := newRig(t, func(p *parts) { m.Merger, p.API.Merger = p.API.Merger, m })
	at := proposalAt(r.a.proposal)
	m.changes = []draft.Change{{Path: "long.mdx", After: []byte(strings.Repeat("x\n", 20_000))},
		{Path: "short.mdx", After: []byte("seen\n")}}
	for i := range 120 {
		m.changes = append(m.changes, draft.Change{Path: fmt.Sprintf("p%d.mdx", i), After: []byte("x\n")})
	}
	_, body := r.get("viewer", at)
	showsAll(t, "many", 200, 200, body, "There are too many changes to show those of this file.", "<ins>seen</ins>",
		"22 more files not shown.", "122 changed files", "+20121")
	m.changes = []draft.Change{{Path: "huge.mdx", After: []byte(strings.Repeat("long line\n", 1<<20))},
		{Path: "a\nb.mdx", After: []byte("x")}}
	_, body = r.get("viewer", at)
	showsAll(t, "without a patch", 200, 200, body, "There are too many changes to show those of this file.",
		"2 changed files")
	m.changes = m.changes[1:]
	_, body = r.get("viewer", at)
	showsAll(t, "a path with a line end", 200, 200, body, "1 changed file")
}

// deciding is the real merger with changes given by a test.
type deciding struct {
	Merger
	changes []draft.Change
}

// Merger is the API's interface.
type Merger interface {
	Merge(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error)
	Close(ctx context.Context, proposalID, by, requestID string) (proposal.Proposal, error)
	Changes(ctx context.Context, proposalID string) ([]draft.Change, proposal.Position, error)
}

func (d *deciding) Changes(context.Context, string) ([]draft.Change, proposal.Position, error) {
	return d.changes, proposal.Position{Commit: "c0ffee"}, nil
}

// Old links, and links with only an id, lead to the page; visitors who are not signed in sign in first.
func TestOldProposalLinksRedirect(t *testing.T) {
	r := newRig(t)
	p := r.a.proposal
	if status, to := r.get("", "/_dashboard/proposals/"+p.ID); status != http.StatusSeeOther ||
		to != "/dashboard/proposals/"+p.ID {
		t.Errorf("%d %s", status, to)
	}
	if status, to := r.get("", "/dashboard/proposals/"+p.ID); status != http.StatusSeeOther ||
		!strings.HasPrefix(to, "/dashboard/sign-in?next=") {
		t.Errorf("%d %s", status, to)
	}
	if status, to := r.get("viewer", "/dashboard/proposals/"+p.ID); status != http.StatusSeeOther ||
		to != proposalAt(p) {
		t.Errorf("%d %s", status, to)
	}
	for _, id := range []string{r.b.proposal.ID, "pp_nothing", "x"} {
		status, body := r.get("owner", "/dashboard/proposals/"+id)
		showsAll(t, id, status, http.StatusNotFound, body, "Proposal not found.")
	}
	if status, to := r.get("", "/_dashboard/exports"); status != http.StatusSeeOther || to != "/dashboard/exports" {
		t.Errorf("%d %s", status, to)
	}
	if status, to := r.get("", "/_dashboard/proposals/%2F%2Fevil.example"); status != http.StatusSeeOther ||
		!strings.HasPrefix(to, "/dashboard/proposals/") {
		t.Errorf("%d %s", status, to)
	}
}

// A person comments on a line of the diff without scripts, others see the comment there, and it becomes outdated when
// the line is removed.
func TestProposalIsReviewed(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"))
	at := proposalAt(p)
	_, body := r.get("editor", at)
	showsAll(t, "for editors", 200, 200, body, `href="?on=1n5#comment"`, `href="?on=1o5#comment"`, ">Approve</button>")
	_, body = r.get("viewer", at)
	showsNone(t, "for viewers", body, "?on=", "Approve</button>")
	_, body = r.get("editor", at+"?on=1n4&to=5")
	showsAll(t, "the form", 200, 200, body, "Comment on lines 4 to 5", `name="line" value="4"`, `name="last" value="5"`,
		"\n\nNew words.</textarea>", `name="suggest"`)
	_, body = r.get("editor", at+"?on=1o5")
	showsAll(t, "the form of the old side", 200, 200, body, "Comment on line 5 of the old file")
	showsNone(t, "the form of the old side", body, "Suggest an edit")
	commit := regexp.MustCompile(`name="commit" value="(\w{40})"`).FindStringSubmatch(body)[1]

	comment := url.Values{"do": {"comment"}, "path": {"index.mdx"}, "side": {"new"}, "line": {"5"}, "last": {"5"},
		"on": {"1n5"}, "body": {"Say more. " + evil}, "suggest": {"yes"}, "suggestion": {"New words.\r\n" + evil},
		"commit": {commit}}
	status, to := r.post("editor", at+"/review", comment)
	if status != http.StatusSeeOther || !strings.HasPrefix(to, at+"?did=comment-made#pc_") {
		t.Fatalf("%d %s", status, to)
	}
	id := to[strings.IndexByte(to, '#')+1:]
	_, body = r.get("viewer", at)
	showsAll(t, "the comment", 200, 200, body, `id="`+id+`"`, "Say more. &lt;img", "Suggested edit", "<ins>&lt;img src=x")
	showsPlain(t, "the comment", body)
	showsNone(t, "the comment", body, "Resolve</button>")

	comment.Set("commit", strings.Repeat("0", 40))
	status, body = r.post("editor", at+"/review", comment)
	showsAll(t, "another commit", status, http.StatusConflict, body, "The branch has moved to another commit",
		"Say more. &lt;img", `name="suggest" value="yes" checked`)
	comment.Set("on", "9n9")
	_, body = r.post("editor", at+"/review", comment)
	showsAll(t, "a line that is gone", 409, 409, body, "Your comment was not stored", "Say more. &lt;img")

	r.posts("editor", at+"/review", "?did=proposal-approved", "do", "approve", "commit", commit)
	r.posts("editor", at+"/review", "?did=comment-resolved#"+id, "do", "resolve "+id)
	_, body = r.get("viewer", at)
	showsAll(t, "approved", 200, 200, body, "Approved by", "resolved by", "data-resolved")
	showsNone(t, "approved", body, "the branch has changed since")
	r.posts("editor", at+"/review", "?did=comment-unresolved#"+id, "do", "unresolve "+id)
	status, _ = r.post("editor", at+"/review", url.Values{"do": {"something"}})
	if status != http.StatusBadRequest {
		t.Errorf("an unknown button: %d", status)
	}

	status, body = r.post("editor", at+"/review", url.Values{"do": {"apply " + id}})
	showsAll(t, "a script", status, http.StatusBadRequest, body, "The suggestion was not applied.")
	comment.Set("commit", commit)
	comment.Set("line", "3")
	comment.Set("last", "4")
	comment.Set("suggestion", "---\r\n\r\n## News")
	_, to = r.post("editor", at+"/review", comment)
	r.posts("editor", at+"/review", "?did=suggestion-applied", "do", "apply "+to[strings.IndexByte(to, '#')+1:])
	_, body = r.get("viewer", at)
	showsAll(t, "applied", 200, 200, body, "applied in <code>", "the branch has changed since")
	applied := r.tip(r.a.folder, "lectern/words")
	r.push(r.a.folder, "lectern/words", applied, reword("Other"))
	_, body = r.get("viewer", at)
	showsAll(t, "after another commit", 200, 200, body, "Outdated comments", "outdated, on index.mdx",
		"the branch has changed since")
}

// Unwanted files are reverted, the newest state of the source is merged in, and a conflict is explained.
func TestProposalIsEditedOnItsBranch(t *testing.T) {
	r := newRig(t)
	p := r.propose(r.a.folder, "lectern/words", reword("New"), draft.Change{Path: "more.mdx", After: []byte("more\n")})
	at := proposalAt(p)
	_, body := r.get("editor", at)
	showsAll(t, "open", 200, 200, body, `name="file" value="more.mdx" checked`)
	showsNone(t, "open", body, "Update branch", "to the agent</button>")
	r.posts("editor", at+"/review", "?did=proposal-kept", "do", "keep", "file", "index.mdx", "commit",
		r.tip(r.a.folder, p.Head))
	_, body = r.get("editor", at)
	showsAll(t, "kept", 200, 200, body, "1 changed file")
	showsNone(t, "kept", body, "more.mdx")

	source := r.a.folder.Source.Path
	must(t, os.WriteFile(filepath.Join(source, "other.mdx"), []byte("---\ntitle: Other\n---\n"), 0o600))
	r.tip(r.a.folder, p.Head)
	_, body = r.get("editor", at)
	showsAll(t, "behind", 200, 200, body, "main has 1 newer commit", "Update branch")
	showsNone(t, "behind, without a job", body, `/redo">`)
	r.posts("editor", at+"/review", "?did=proposal-updated", "do", "update")
	_, body = r.get("editor", at)
	showsNone(t, "updated", body, "Update branch")
	must(t, os.WriteFile(filepath.Join(source, "index.mdx"), []byte(strings.Replace(startPage, "Old", "Their", 1)), 0o600))
	status, body := r.post("editor", at+"/review", url.Values{"do": {"update"}})
	showsAll(t, "conflict", status, http.StatusConflict, body, "main conflicts with the proposal in: index.mdx.")
}

// tip imports a folder's files into its repository, and returns the newest commit of a branch.
func (r *rig) tip(p project.Project, branch string) string {
	r.t.Helper()
	remote, err := r.home.Prepare(r.t.Context(), p)
	must(r.t, err)
	commit, _, err := r.git.Tip(r.t.Context(), remote, branch)
	must(r.t, err)
	return commit
}

// posts submits a form that redirects to the page of a proposal with a notice.
func (r *rig) posts(who, path, did string, fields ...string) {
	r.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	if status, to := r.post(who, path, form); status != http.StatusSeeOther || !strings.HasSuffix(to, did) {
		r.t.Errorf("%s: %d %s", did, status, to)
	}
}

// push adds a commit to a branch of the embedded code host.
func (r *rig) push(p project.Project, branch, last string, changes ...draft.Change) {
	r.t.Helper()
	remote, err := r.home.Prepare(r.t.Context(), p)
	must(r.t, err)
	_, err = r.git.Propose(r.t.Context(), remote,
		git.Proposal{Parent: last, Branch: branch, Message: "More", Changes: changes, When: r.clock.Now()})
	must(r.t, err)
}
