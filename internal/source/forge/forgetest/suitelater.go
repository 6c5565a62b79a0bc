package forgetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
)

func comments(t *testing.T, d *fixture) {
	p := d.open(t, request())
	if list, err := d.host.Comments(t.Context(), p.Number); err != nil || len(list) != 0 {
		t.Fatalf("before the first comment: %+v, %v", list, err)
	}
	d.rig.Say(t, p.Number, "Please mention **version 2**.")
	d.rig.SayAt(t, p.Number, Changed, "This line is wrong.")
	list, err := d.host.Comments(t.Context(), p.Number)
	if err != nil || len(list) != 2 {
		t.Fatalf("comments %+v, %v", list, err)
	}
	seen := map[string]pull.Comment{}
	for _, c := range list {
		if c.ID == "" || c.Author == "" || c.At.IsZero() || seen[c.Body].ID != "" {
			t.Errorf("comment %+v", c)
		}
		seen[c.Body] = c
	}
	if c := seen["Please mention **version 2**."]; c.ID == "" || c.File != "" || c.Line != 0 {
		t.Errorf("below: %+v", c)
	}
	if c := seen["This line is wrong."]; c.File != Changed.File || c.Line != Changed.Line {
		t.Errorf("at a line: %+v", c)
	}
	for i := range d.rig.Crowd {
		d.rig.Say(t, p.Number, fmt.Sprintf("remark %d", i))
	}
	list, err = d.host.Comments(t.Context(), p.Number)
	if err != nil || len(list) != min(200, d.rig.Crowd+2) {
		t.Fatalf("%d of %d comments, %v", len(list), d.rig.Crowd+2, err)
	}
	for i := range min(d.rig.Crowd, len(list)) {
		if got, want := list[len(list)-1-i].Body, fmt.Sprintf("remark %d", d.rig.Crowd-1-i); got != want {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
}

func merged(t *testing.T, d *fixture) {
	p := d.open(t, request())
	d.rig.Merge(t, p.Number)
	got, err := d.host.Get(t.Context(), p.Number)
	found, errFind := d.host.Find(t.Context(), branch)
	if err != nil || errFind != nil || got.State != pull.Merged || found.State != pull.Merged ||
		found.Number != p.Number || got.Head != branch {
		t.Errorf("got %+v %v, found %+v %v", got, err, found, errFind)
	}
}

func closed(t *testing.T, d *fixture) {
	p := d.open(t, request())
	d.rig.Close(t, p.Number)
	found, err := d.host.Find(t.Context(), branch)
	if err != nil || found.State != pull.Closed || found.Number != p.Number {
		t.Errorf("found %+v, %v", found, err)
	}
	next, err := d.host.Open(t.Context(), request())
	if err != nil || next.Number == p.Number || next.State != pull.Open {
		t.Fatalf("opened %+v, %v", next, err)
	}
	if found, err = d.host.Find(t.Context(), branch); err != nil || found.Number != next.Number {
		t.Errorf("found %+v, %v", found, err)
	}
}

// fork checks that a pull request from a fork's branch with the same name is not mistaken for ours.
func fork(t *testing.T, d *fixture) {
	d.rig.Fork(t, branch)
	_, err := d.host.Find(t.Context(), branch)
	d.expect(t, "Find", err, fault.NotFound, "unknown_pull")
	own := d.open(t, request())
	if found, err := d.host.Find(t.Context(), branch); err != nil || found.Number != own.Number {
		t.Errorf("found %+v, %v; want %d", found, err, own.Number)
	}
}

func noBranch(t *testing.T, d *fixture) {
	_, err := d.host.Open(t.Context(), request()) // the branch was never pushed
	d.expect(t, "no head", err, fault.Invalid, "forge_refused")
	d.rig.Branch(t, branch)
	r := request()
	r.Base = "no-such-branch"
	_, err = d.host.Open(t.Context(), r)
	d.expect(t, "no base", err, fault.Invalid, "forge_refused")
}

func wrongKey(t *testing.T, d *fixture) {
	d.rig.Branch(t, branch)
	for name, ask := range asks(d.rig.Open(d.proxy.URL, WrongKey), 1) {
		d.expect(t, name, ask(t.Context()), fault.Forbidden, "forge_key_refused")
	}
}

func noRepository(t *testing.T, d *fixture) {
	for name, ask := range asks(d.rig.Open(d.proxy.URL, NoSuchPlace), 1) {
		d.expect(t, name, ask(t.Context()), fault.NotFound, "forge_not_found")
	}
}

func cancelled(t *testing.T, d *fixture) {
	_, err := d.host.Find(t.Context(), branch)
	d.expect(t, "Find", err, fault.NotFound, "unknown_pull")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ask := range asks(d.host, 1) {
		if err := ask(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
