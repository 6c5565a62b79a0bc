package forgetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

// Run tests that a driver satisfies the contract of pull.Host. start creates a separate Rig for each part.
func Run(t *testing.T, start func(t *testing.T) *Rig) {
	for name, part := range map[string]func(*testing.T, *fixture){
		"MissingObjectsAreDistinguished":         absent,
		"OpeningTwiceReturnsOnePullRequest":      openTwice,
		"UpdateChangesTitleAndText":              update,
		"DraftBecomesReadyAndStaysReady":         draft,
		"LabelsAndReviewersAreAdded":             adorn,
		"CommentsAreReadInOrder":                 comments,
		"StatusOfCommitIsReplaced":               commitStatus,
		"CommentIsMadeOnceAndChanged":            ownComment,
		"MergeIsReported":                        merged,
		"PermissionsOfPeopleAreFound":            permissions,
		"IssueHasOneReply":                       issueReply,
		"ReleaseOfATagIsRead":                    release,
		"NewPullRequestAfterAClosedOne":          closed,
		"BranchOfAForkIsIgnored":                 fork,
		"MissingBranchIsRefused":                 noBranch,
		"WrongKeyIsRefused":                      wrongKey,
		"MissingRepositoryIsNotFound":            noRepository,
		"HostFailuresBecomeFaultsWithoutSecrets": hostFailures,
		"RedirectsToOtherHostsAreNotFollowed":    redirects,
		"CanceledCallReturns":                    cancelled,
	} {
		t.Run(name, func(t *testing.T) {
			rig := start(t)
			d := &fixture{rig: rig, proxy: newProxy(t, rig)}
			d.host = rig.Open(d.proxy.URL, Right)
			part(t, d)
			d.proxy.check(t)
		})
	}
}

// fixture has the values that each part of the suite uses.
type fixture struct {
	rig   *Rig
	proxy *proxy
	host  pull.Host
}

const branch = "lectern/fix-links-0123456789"

func request() pull.Request {
	return pull.Request{Title: "Fix two links", Body: "They led **nowhere**.\n\n- a\n- b", Head: branch, Base: "main"}
}

// open creates the branch and its pull request.
func (d *fixture) open(t *testing.T, r pull.Request) pull.Pull {
	t.Helper()
	d.rig.Branch(t, r.Head)
	p, err := d.host.Open(t.Context(), r)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return p
}

// asks returns the contract's calls by name. Their targets need not exist.
func asks(h pull.Host, number int64) map[string]func(context.Context) error {
	report := h.(pull.Reporter)
	all := map[string]func(context.Context) error{
		setStatus: func(ctx context.Context) error {
			return report.SetStatus(ctx, strings.Repeat("a1", 20), status1(pull.Pending))
		},
		"PutComment": func(ctx context.Context) error {
			_, err := report.PutComment(ctx, number, pull.Note{Marker: marker, Body: marker + " hello"})
			return err
		},
		"Find":     func(ctx context.Context) error { _, err := h.Find(ctx, branch); return err },
		"Get":      func(ctx context.Context) error { _, err := h.Get(ctx, number); return err },
		"Open":     func(ctx context.Context) error { _, err := h.Open(ctx, request()); return err },
		"Update":   func(ctx context.Context) error { _, err := h.Update(ctx, number, request()); return err },
		"Comments": func(ctx context.Context) error { _, err := h.Comments(ctx, number); return err },
	}
	if talk, ok := h.(pull.Discussion); ok { // the embedded code host has none
		all["MayWrite"] = func(ctx context.Context) error {
			_, err := talk.MayWrite(ctx, pull.Person{Name: "nobody-here", ID: "987654"})
			return err
		}
	}
	if host, ok := h.(pull.Releases); ok {
		all["Release"] = func(ctx context.Context) error { _, err := host.Release(ctx, "v0/none"); return err }
	}
	return all
}

func (d *fixture) expect(t *testing.T, what string, err error, kind fault.Kind, code string) {
	t.Helper()
	if !fault.Is(err, kind) || !fault.HasCode(err, code) {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
	d.hides(t, what, err)
}

// hides fails the test if an error contains a secret (K9).
func (d *fixture) hides(t *testing.T, what string, err error) {
	t.Helper()
	text := fmt.Sprintf("%v %+v %#v", err, err, err)
	for e := err; e != nil; e = errors.Unwrap(e) {
		text += " " + e.Error()
	}
	if f, ok := fault.As(err); ok {
		text += " " + f.Public + " " + f.Hint
	}
	for _, secret := range d.rig.Secrets {
		if strings.Contains(text, secret) {
			t.Errorf("%s: the error shows a secret: %v", what, err)
		}
	}
}

func absent(t *testing.T, d *fixture) {
	_, err := d.host.Find(t.Context(), branch)
	d.expect(t, "Find", err, fault.NotFound, "unknown_pull")
	for name, ask := range asks(d.host, 987654) {
		if name != "Open" && name != setStatus && name != "MayWrite" && name != "Release" {
			d.expect(t, name, ask(t.Context()), fault.NotFound, "unknown_pull")
		}
	}
}

// G7: a branch has only one pull request, even if the response to the first request was lost.
func openTwice(t *testing.T, d *fixture) {
	first := d.open(t, request())
	if first.Number <= 0 || !strings.HasPrefix(first.URL, "http") || first.State != pull.Open || first.Draft ||
		first.Title != request().Title ||
		first.Head != branch || first.Base != "main" {
		t.Errorf("opened %+v", first)
	}
	if shown := d.rig.Shown(t, first.Number); shown.Title != request().Title || shown.Body != request().Body ||
		shown.Draft {
		t.Errorf("people see %+v", shown)
	}
	other := request()
	other.Title = "Something else"
	second, err := d.host.Open(t.Context(), other)
	if err != nil || second.Number != first.Number || second.Title != first.Title {
		t.Errorf("opened again: %+v, %v", second, err)
	}
	found, err := d.host.Find(t.Context(), branch)
	got, errGet := d.host.Get(t.Context(), first.Number)
	if err != nil || errGet != nil || found != first || got != first {
		t.Errorf("found %+v %v, got %+v %v, want %+v", found, err, got, errGet, first)
	}
}

func update(t *testing.T, d *fixture) {
	p := d.open(t, request())
	r := request()
	r.Title, r.Body = "Fix three links", strings.Repeat("long ", 20_000)
	changed, err := d.host.Update(t.Context(), p.Number, r)
	if err != nil || changed.Number != p.Number || changed.Title != r.Title || changed.Head != branch ||
		changed.State != pull.Open {
		t.Fatalf("updated %+v, %v", changed, err)
	}
	shown := d.rig.Shown(t, p.Number)
	if shown.Title != r.Title || !strings.HasPrefix(shown.Body, "long long") || len(shown.Body) < 50_000 ||
		len(shown.Body) > 65_536 {
		t.Errorf("people see %q and %d bytes", shown.Title, len(shown.Body))
	}
}

func draft(t *testing.T, d *fixture) {
	r := request()
	r.Draft = true
	p := d.open(t, r)
	if !p.Draft || p.Title != r.Title || !d.rig.Shown(t, p.Number).Draft {
		t.Fatalf("opened %+v", p)
	}
	r.Title = "Fix four links"
	for _, step := range []struct{ asked, want bool }{{true, true}, {false, false}, {true, false}} {
		r.Draft = step.asked
		p, err := d.host.Update(t.Context(), p.Number, r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.host.Get(t.Context(), p.Number)
		if err != nil || got.Draft != step.want || got.Title != r.Title || d.rig.Shown(t, p.Number).Draft != step.want {
			t.Errorf("asked for draft %v: %+v, %v", step.asked, got, err)
		}
	}
}

func adorn(t *testing.T, d *fixture) {
	r := request()
	p := d.open(t, r)
	// The response to the first request was lost. The second request adds what is still missing.
	r.Title, r.Labels, r.Reviewers = "Another title", []string{"documentation"},
		[]string{"nobody-of-this-name", d.rig.Reviewer}
	if again, err := d.host.Open(t.Context(), r); err != nil || again.Number != p.Number ||
		d.rig.Shown(t, p.Number).Title != request().Title {
		t.Fatalf("opened again: %+v, %v", again, err)
	}
	r.Labels, r.Reviewers = []string{"lectern"}, nil
	if _, err := d.host.Update(t.Context(), p.Number, r); err != nil {
		t.Fatal(err)
	}
	shown := d.rig.Shown(t, p.Number)
	slices.Sort(shown.Labels)
	if want := []string{"documentation", "lectern"}; d.rig.Labels && !slices.Equal(shown.Labels, want) {
		t.Errorf("labels %v", shown.Labels)
	}
	if !slices.Equal(shown.Reviewers, []string{d.rig.Reviewer}) {
		t.Errorf("reviewers %v", shown.Reviewers)
	}
}
