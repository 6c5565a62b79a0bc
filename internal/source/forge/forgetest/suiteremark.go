package forgetest

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

func permissions(t *testing.T, d *fixture) {
	host := d.host.(pull.Discussion)
	for who, want := range map[pull.Person]bool{d.rig.Writer: true, d.rig.Reader: false, d.rig.Stranger: false} {
		if got, err := host.MayWrite(t.Context(), who); err != nil || got != want {
			t.Errorf("%+v may write: %v, %v", who, got, err)
		}
	}
	for _, name := range []string{"?", "%2e%2e", "a b"} {
		if got, _ := host.MayWrite(t.Context(), pull.Person{Name: name, ID: name}); got {
			t.Errorf("%q may write", name)
		}
	}
	if d.rig.Demote == nil {
		return
	}
	d.rig.Demote()
	if got, err := host.MayWrite(t.Context(), d.rig.Writer); got || !fault.HasCode(err, "permission_unknown") {
		t.Errorf("for a key that may not read permissions: %v, %v", got, err)
	}
}

func issueReply(t *testing.T, d *fixture) {
	if d.rig.Issue == nil {
		_, err := d.host.Find(t.Context(), branch)
		d.expect(t, "Find", err, fault.NotFound, "unknown_pull")
		return
	}
	n, report := d.rig.Issue(t), d.host.(pull.Reporter)
	put := func(id, text string) string {
		t.Helper()
		got, err := report.PutComment(t.Context(), n, pull.Note{ID: id, Marker: marker, Body: marker + "\n\n" + text, Issue: true})
		if err != nil || got == "" {
			t.Fatalf("PutComment: %q, %v", got, err)
		}
		if all := d.rig.Replies(t, n); len(all) != 1 || !strings.Contains(all[0], text) {
			t.Fatalf("replies after %q: %q", text, all)
		}
		return got
	}
	id := put("", "Started.")
	put(id, "Changed.")
	put("", "Found by its marker.")
	if _, err := report.PutComment(t.Context(), 987654, pull.Note{Marker: marker, Body: marker, Issue: true}); !fault.Is(err, fault.NotFound) {
		t.Errorf("a missing issue: %v", err)
	}
}
