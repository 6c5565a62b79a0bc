package adminapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/serve/adminapi"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/store"
)

func jsonText(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	must(t, err)
	return string(raw)
}

func TestNewKeyHasRequestedPermissions(t *testing.T) {
	w, x := newWorldOf(t, account.PlanFree, nil)
	got := w.do(t, ask{"POST", "/v1/keys", x.key,
		`{"label":"ci","scopes":["read"],"expiresInDays":7,"addresses":["127.0.0.1","10.0.0.0/8"]}`, nil}).want(t, 201).
		object(t)
	secret := got["key"].(string)
	if got["prefix"] != secret[:12] || got["createdBy"] != x.keyID || jsonText(t,
		got["addresses"]) != `["127.0.0.1","10.0.0.0/8"]` || got["expiresAt"] != "2026-03-11T05:06:07.123456Z" {
		t.Errorf("%v", got)
	}
	w.do(t, ask{"GET", "/v1/projects", secret, "", nil}).want(t, 200)
	w.do(t, ask{"POST", "/v1/keys", secret, `{}`, nil}).want(t, 403)
	list := w.do(t, ask{"GET", "/v1/keys", x.key, "", nil}).want(t, 200)
	if strings.Contains(string(list.body), secret) || strings.Contains(string(list.body), `"key":`) {
		t.Error("the list shows secrets")
	}
	all := w.do(t, ask{"POST", "/v1/keys", x.key, `{"expiresInDays":null}`, nil}).want(t, 201).object(t)
	if jsonText(t, all["scopes"]) != `["read","write"]` || all["expiresAt"] != nil {
		t.Errorf("%v", all)
	}
	for body, field := range map[string]string{`{"scopes":["root"]}`: "scopes", `{"scopes":[]}`: "scopes",
		`{"expiresInDays":8}`:         "expiresInDays",
		`{"addresses":["0.0.0.0/0"]}`: "addresses", `{"addresses":["::/0"]}`: "addresses", `{"label":7}`: "label"} {
		if got := w.do(t, ask{"POST", "/v1/keys", x.key, body, nil}).
			want(t, 400); !strings.Contains(string(got.body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, got.body)
		}
	}
}

// K7: an organization can create ten keys an hour; the eleventh must wait as long as Retry-After says. The audit
// record has the actor, the scopes and the expiry, but never the secret; members below admin cannot create keys.
func TestKeyCreationIsLimitedPerHour(t *testing.T) {
	w := newWorld(t, nil)
	x, other := w.idleTenant(t, "a", account.PlanFree), w.idleTenant(t, "b", account.PlanFree)
	start := w.clock.Now()
	make1 := ask{"POST", "/v1/keys", x.key, `{"label":"one","expiresInDays":30,"addresses":["192.0.2.0/24"]}`, nil}
	for _, role := range []account.Role{account.RoleViewer, account.RoleEditor} {
		if got := w.do(t, make1.as(x.members[role])).want(t, 403); got.code(t) != "role_required" {
			t.Errorf("%s: %s", role, got.body)
		}
	}
	var secrets []string
	for range 10 {
		secrets = append(secrets, w.do(t, make1).want(t, 201).object(t)["key"].(string))
		w.clock.Advance(time.Minute)
	}
	got := w.do(t, make1).want(t, 429)
	wait, err := strconv.Atoi(got.header.Get("Retry-After"))
	if err != nil || wait != 50*60 || got.code(t) != "too_many_keys" {
		t.Fatalf("%v %s", got.header, got.body)
	}
	w.do(t, ask{"POST", "/v1/keys", other.key, `{}`, nil}).want(t, 201)
	w.clock.Advance(time.Duration(wait)*time.Second - time.Second)
	w.do(t, make1).want(t, 429)
	w.clock.Advance(time.Second)
	w.do(t, make1).want(t, 201)
	events, err := w.store.ListEvents(t.Context(), x.org.ID, 0, 100)
	must(t, err)
	if len(events) != 11 {
		t.Errorf("%d records", len(events))
	}
	for i, e := range events {
		expires := start.Add(time.Duration(i)*time.Minute).AddDate(0, 0, 30).Format(time.RFC3339)
		if e.Action != "key.create" || e.Actor != x.keyID || e.Data["label"] != "one" ||
			e.Data["scopes"] != "read write" || e.Data["addresses"] != "192.0.2.0/24" ||
			i < 10 && e.Data["expiresAt"] != expires {
			t.Errorf("recorded %+v", e)
		}
		for _, secret := range secrets {
			if raw := jsonText(t, e); strings.Contains(raw, secret[8:]) {
				t.Fatal("an audit record contains the secret")
			}
		}
	}
}

// K2, K9: neither keys nor webhook secrets nor links appear in the database or in the log, even after failures of
// every kind.
func TestSecretsAreNeitherStoredNorLogged(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, nil)
	created := w.do(t, ask{"POST", "/v1/keys", x.key, `{"label":"canary"}`, nil}).want(t, 201).object(t)["key"].(string)
	hook := w.do(t, ask{"PATCH", "/v1/projects/" + x.project.ID, x.key, `{"rotateWebhookSecret":true}`, nil}).
		want(t, 200).object(t)["webhookSecret"].(string)
	link := read[linkBody](t, w.do(t, ask{"POST", "/v1/static-export/jobs/" + x.done.ID + "/bundle", x.key, "", nil}).
		want(t, 200)).BundleURL
	for _, r := range adminapi.Routes() {
		if r.OperationID == "deleteProject" {
			continue
		}
		a := samples[r.OperationID].ask(x).by(r, created)
		w.do(t, a)
		a.path += "?key=" + created // a careless caller
		w.do(t, a)
		a.method = "PUT"
		w.do(t, a)
	}
	w.do(t, ask{"POST", "/v1/projects", created, `{"name":"` + created + `"`, nil}).want(t, 400)
	must(t, w.store.Close())
	var stored []byte
	files, err := filepath.Glob(w.dbFile + "*") // including the write-ahead log
	must(t, err)
	for _, name := range files {
		raw, err := os.ReadFile(name)
		must(t, err)
		stored = append(stored, raw...)
	}
	if !bytes.Contains(stored, []byte("canary")) || !bytes.Contains(stored, []byte(created[:12])) {
		t.Fatal("label and visible prefix not found in the database: this test looks in the wrong place")
	}
	for name, secret := range map[string]string{"key": created[8:], "webhook secret": hook[6:],
		"link": link[strings.Index(link, "sig=")+4:]} {
		for i := 0; i+12 <= len(secret); i++ {
			part := secret[i : i+12]
			if bytes.Contains(stored, []byte(part)) {
				t.Fatalf("a part of the %s is in the database", name)
			}
			if strings.Contains(w.log.String(), part) {
				t.Fatalf("a part of the %s is in the log", name)
			}
		}
	}
}

// panicking panics when it looks up a key, with the request in scope.
type panicking struct{ auth.Keys }

func (panicking) FindPrincipal(ctx context.Context, hashes ...string) (store.Principal, error) {
	panic(fmt.Sprint("find ", hashes))
}

// K9: a panic on any route reveals nothing about the request's key, neither in the response nor in the log with its
// stack trace.
func TestPanicDoesNotRevealTheKey(t *testing.T) {
	w, x := newWorldOf(t, account.PlanEnterprise, func(o *adminapi.Options) { o.Keys = panicking{o.Keys} })
	for _, r := range adminapi.Routes() {
		if r.Scope == "" {
			continue
		}
		a := samples[r.OperationID].ask(x).by(r, x.key)
		a.path += "?key=" + x.key
		got := w.do(t, a).want(t, 500)
		if strings.Contains(string(got.body), x.key[8:20]) {
			t.Errorf("%s: %s", r.OperationID, got.body)
		}
	}
	log := w.log.String()
	if !strings.Contains(log, "panic: find [") || !strings.Contains(log, "goroutine") {
		t.Fatal("no request panicked")
	}
	for i := 8; i+12 <= len(x.key); i++ {
		if strings.Contains(log, x.key[i:i+12]) {
			t.Fatal("a part of the key is in the log")
		}
	}
}

// K5: the API shows when a key was last used, to the minute.
func TestLastKeyUseIsStored(t *testing.T) {
	var uses *auth.Uses
	w, x := newWorldOf(t, account.PlanFree, func(o *adminapi.Options) {
		uses = auth.OpenUses(o.Store.TouchKey, slog.New(slog.DiscardHandler))
		o.Uses = uses
	})
	used := w.clock.Now()
	w.do(t, ask{"GET", "/v1/deployment", x.key, "", nil}).want(t, 200)
	uses.Close()
	keys := w.do(t, ask{"GET", "/v1/keys", x.key, "", nil}).want(t, 200)
	want := `"lastUsedAt":"` + used.Format("2006-01-02T15:04:05.000000") + `Z"`
	if !strings.Contains(string(keys.body), want) {
		t.Errorf("%s lacks %s", keys.body, want)
	}
}
