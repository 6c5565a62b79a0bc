package forgetest

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

const (
	setStatus = "SetStatus"
	marker    = "[//]: # (lectern-preview prj_1)"
)

func status1(state pull.StatusState) pull.Status {
	return pull.Status{Name: "lectern/preview", State: state, Text: "The preview is " + string(state) + ".",
		URL: "https://docs.example.com/" + string(state)}
}

func commitStatus(t *testing.T, d *fixture) {
	p, report := d.open(t, request()), d.host.(pull.Reporter)
	if p.Commit == "" { // some hosts shorten it; webhooks contain the full id
		p.Commit = strings.Repeat("b2", 20)
	}
	for _, state := range []pull.StatusState{pull.Pending, pull.Pending, pull.Succeeded, pull.Pending, pull.Failed,
		pull.Errored} {
		if err := report.SetStatus(t.Context(), p.Commit, status1(state)); err != nil {
			t.Fatalf("%s: %v", state, err)
		}
		want := status1(state)
		if state == pull.Errored && d.rig.Coarse {
			want.State = pull.Failed
		}
		if got := d.rig.Status(t, p.Commit, want.Name); got != want {
			t.Errorf("people see %+v, want %+v", got, want)
		}
	}
	long := status1(pull.Succeeded)
	long.Text = strings.Repeat("long ", 200)
	if err := report.SetStatus(t.Context(), p.Commit, long); err != nil {
		t.Errorf("a long text: %v", err)
	}
	if got := d.rig.Status(t, p.Commit, long.Name).Text; !strings.HasPrefix(got, "long long") || len(got) > 150 {
		t.Errorf("people see %q", got)
	}
	for _, commit := range []string{"", "main", "../../etc", p.Commit[:12]} {
		if err := report.SetStatus(t.Context(), commit, status1(pull.Pending)); err == nil {
			t.Errorf("%q was accepted as a commit", commit)
		}
	}
}

func ownComment(t *testing.T, d *fixture) {
	p, report := d.open(t, request()), d.host.(pull.Reporter)
	d.rig.Say(t, p.Number, "I say this too: "+marker) // anyone can copy a marker
	put := func(id, text string) string {
		t.Helper()
		got, err := report.PutComment(t.Context(), p.Number, pull.Note{ID: id, Marker: marker, Body: marker + "\n\n" + text})
		if err != nil || got == "" {
			t.Fatalf("PutComment: %q, %v", got, err)
		}
		list, err := d.host.Comments(t.Context(), p.Number)
		if err != nil || len(list) != 2 || !strings.Contains(list[0].Body, "I say this too") ||
			!strings.Contains(list[1].Body, text) || list[0].Author == list[1].Author {
			t.Fatalf("comments after %q: %+v, %v", text, list, err)
		}
		return got
	}
	id := put("", "Building.")
	if again := put(id, "Ready."); again != id {
		t.Errorf("the comment is %s, then %s", id, again)
	}
	put("", "Found by its marker, after its id was lost.")
	put("987654321", "Found after another one was removed.")
}
