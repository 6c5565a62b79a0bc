package deliver_test

import (
	"crypto/rand"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/store"
)

// W1: a delivery is signed over its id, the time of the attempt and its body, and for a day after a rotation also
// with the previous secret.
func TestDeliveryIsSignedWithEachValidSecret(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	e, first := r.endpoint(r.org, in.URL+"/in?x=1")
	r.record(r.org, "key.create", "key_b", map[string]string{"label": "nightly"})
	r.work()
	all := in.taken()
	if len(all) != 1 {
		t.Fatalf("%d requests", len(all))
	}
	d := r.deliveries(e)[0]
	h := all[0].header
	if h.Get("Webhook-Id") != d.ID || h.Get("Webhook-Timestamp") != "1772600760" || h.Get("Content-Type") != "application/json" ||
		h.Get("Webhook-Signature") != signature(t, first, all[0]) || d.State != endpoint.Delivered || d.Attempts != 1 {
		t.Errorf("header %v, delivery %+v", h, d)
	}
	second := endpoint.NewSecret(rand.Reader)
	r.tx(func(tx *store.Tx) (err error) {
		_, err = tx.RotateEndpoint(t.Context(), r.find(e), endpoint.SealSecret(master, rand.Reader, e.ID, second),
			r.clock.Now().Add(endpoint.SecretOverlap))
		return err
	})
	for _, step := range []struct {
		wait  time.Duration
		valid []string
	}{{endpoint.SecretOverlap - time.Second, []string{second, first}}, {time.Second, []string{second}}} {
		r.clock.Advance(step.wait)
		r.record(r.org, "key.revoke", "key_b", nil)
		r.work()
		g := in.taken()[0]
		var want []string
		for _, secret := range step.valid {
			want = append(want, signature(t, secret, g))
		}
		if h := g.header.Get("Webhook-Signature"); h != strings.Join(want, " ") {
			t.Errorf("signature %s, want %v", h, want)
		}
	}
}

// W3: a message is small, identifies things by id, and has the event's sequence number, whatever names people have
// chosen.
func TestMessageIsSmallAndHasSequenceNumber(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	r.endpoint(r.org, in.URL)
	began := r.clock.Now()
	data := map[string]string{"project": "prj_" + strings.Repeat("a", 26)}
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		data[strings.Repeat(string(c), 100)] = strings.Repeat("\u2028\x01é", 10_000)
	}
	r.record(r.org, "project.update", strings.Repeat("<", 5000), data)
	r.record(r.org, "deployment.start", "dep_"+strings.Repeat("a", 26), map[string]string{"project": "prj_" + strings.Repeat("a", 26)})
	r.work()
	r.work()
	all := in.taken()
	for i, g := range all {
		var m endpoint.Message
		r.ok(json.Unmarshal([]byte(g.body), &m))
		if len(g.body) >= 20_000 || m.Data.Sequence != int64(i+1) || m.Data.OrganizationID != r.org.ID ||
			!m.Timestamp.Equal(began.Add(time.Duration(i)*time.Millisecond)) {
			t.Errorf("%d bytes: %.300s", len(g.body), g.body)
		}
	}
	want := `{"type":"deployment.start","timestamp":"2026-03-04T05:06:00.001Z","data":{"eventId":"`
	if len(all) != 2 || !strings.HasPrefix(all[1].body, want) ||
		!strings.Contains(all[1].body, `"url":"`+public+`/dashboard/deployments/dep_aaaa`) {
		t.Errorf("%d messages, the last one %.300s", len(all), all[len(all)-1].body)
	}
}

func TestEndpointGetsOnlySubscribedEvents(t *testing.T) {
	r, in := newRig(t), newReceiver(t)
	other := r.organization("Other")
	r.endpoint(other, in.URL+"/other")
	r.endpoint(r.org, in.URL, "export.*", "key.create")
	for _, action := range []string{"export.start", "exporter.start", "export.link", "key.create", "key.create_more", "key.revoke"} {
		r.record(r.org, action, "x", nil)
	}
	for range 10 {
		r.work()
	}
	var types []string
	for _, g := range in.taken() {
		var m endpoint.Message
		r.ok(json.Unmarshal([]byte(g.body), &m))
		if m.Data.OrganizationID != r.org.ID {
			t.Errorf("another organization got %s", g.body)
		}
		types = append(types, m.Type)
	}
	if strings.Join(types, " ") != "export.start export.link key.create" {
		t.Errorf("delivered %v", types)
	}
}
