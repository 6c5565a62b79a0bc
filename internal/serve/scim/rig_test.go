package scim_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/scim"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

var master = bytes.Repeat([]byte("m"), 32)

// rig is a SCIM server with a real database and two organizations: it has keys for both, and roles for the first
// one's groups.
type rig struct {
	testing.TB
	store   *store.Store
	clock   *worktest.Clock
	handler http.Handler
	acme    account.Organization
	other   account.Organization
	key     string // key of acme, with the scope scim
	keyID   string
	foreign string // key of the other organization
}

func newRig(t testing.TB, change ...func(*scim.Options)) *rig {
	t.Helper()
	r := &rig{TB: t, clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC))}
	var err error
	r.store, err = store.Open(t.Context(), store.Options{URL: storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")),
		Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader}})
	r.ok(err)
	t.Cleanup(func() { _ = r.store.Close() })
	_, err = r.store.Migrate(t.Context())
	r.ok(err)
	o := scim.Options{Store: r.store, Log: slog.New(slog.DiscardHandler), Now: r.clock.Now,
		IDs:     id.Source{Rand: rand.Reader},
		Guard:   auth.New(auth.Options{Keys: r.store, Masters: [][]byte{master}, Now: r.clock.Now}),
		Rate:    auth.NewRate(100_000, nil, r.clock.Now),
		BaseURL: func(*http.Request) string { return "https://docs.example.com" },
		Roles: func(_ context.Context, organizationID string) (account.GroupRoles, error) {
			if organizationID != r.acme.ID {
				return account.GroupRoles{}, nil
			}
			return account.GroupRoles{Default: account.RoleViewer, Grants: []account.Grant{
				{Group: "Writers", Role: account.RoleEditor}, {Group: "guid-admins", Role: account.RoleAdmin},
				{Group: "Heads", Role: account.RoleOwner}}}, nil
		}}
	for _, c := range change {
		c(&o)
	}
	r.handler = scim.New(o)
	r.acme, r.other = r.organization("Acme"), r.organization("Other")
	r.key, r.keyID = r.newKey(r.acme.ID, "scim")
	r.foreign, _ = r.newKey(r.other.ID, "scim")
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

func (r *rig) tx(do func(*store.Tx) error) { r.Helper(); r.ok(r.store.Tx(r.Context(), do)) }

func (r *rig) organization(name string) (o account.Organization) {
	r.Helper()
	r.tx(func(tx *store.Tx) (err error) {
		o, err = tx.CreateOrganization(r.Context(), name, account.PlanFree)
		return err
	})
	return o
}

func (r *rig) newKey(organizationID string, scopes ...string) (secret, keyID string) {
	r.Helper()
	k, err := account.NewKey(organizationID, account.Request{Scopes: scopes}, r.clock.Now())
	r.ok(err)
	secret = account.NewSecret(rand.Reader)
	k.Prefix, k.Hash = account.Visible(secret), account.NewHasher(master).Hash(secret)
	r.tx(func(tx *store.Tx) (err error) {
		k, err = tx.CreateKey(r.Context(), k)
		return err
	})
	return secret, k.ID
}

func (r *rig) member(organizationID, email string, role account.Role) (m account.Member) {
	r.Helper()
	r.tx(func(tx *store.Tx) (err error) {
		m, err = tx.AddMember(r.Context(), organizationID, email, role)
		return err
	})
	return m
}

// role returns the role of a member of acme; "" = none.
func (r *rig) role(email string) account.Role {
	r.Helper()
	m, err := r.store.FindMemberByEmail(r.Context(), r.acme.ID, email)
	if err != nil {
		return ""
	}
	return m.Role
}

// actions returns the key's actions in acme's audit log.
func (r *rig) actions() (out []string) {
	r.Helper()
	list, err := r.store.ListEvents(r.Context(), r.acme.ID, 0, 1000)
	r.ok(err)
	for _, e := range list {
		if e.Actor == r.keyID {
			out = append(out, e.Action)
		}
	}
	return out
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	raw    string
	body   map[string]any
}

// id returns the id of the resource in a response.
func (a answer) id() string { s, _ := a.body["id"].(string); return s }

// get returns a value by its path, such as emails.0.value; nil = missing.
func (a answer) get(path string) any {
	var v any = a.body
	for part := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			var i int
			if n, _ := fmt.Sscan(part, &i); n != 1 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// as sends a request with a key. Every non-empty response must have SCIM's media type.
func (r *rig) as(key, method, path, body string, header ...string) answer {
	r.Helper()
	req := httptest.NewRequestWithContext(r.Context(), method, "https://docs.example.com/scim/v2/"+path,
		strings.NewReader(body))
	if body != "" {
		req.Header.Set("Content-Type", "application/scim+json; charset=utf-8")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	a := answer{status: w.Code, header: w.Header(), raw: w.Body.String()}
	if a.raw != "" {
		r.ok(json.Unmarshal(w.Body.Bytes(), &a.body))
		if got := a.header.Get("Content-Type"); got != "application/scim+json" {
			r.Errorf("%s %s: the media type is %q", method, path, got)
		}
	}
	r.clock.Advance(time.Second)
	return a
}

// do sends a request with acme's key and expects a status.
func (r *rig) do(status int, method, path, body string, header ...string) answer {
	r.Helper()
	a := r.as(r.key, method, path, body, header...)
	if a.status != status {
		r.Fatalf("%s %s %s: %d %s", method, path, body, a.status, a.raw)
	}
	return a
}

// refused expects an error with a status and a scimType.
func (r *rig) refused(a answer, status int, scimType string) {
	r.Helper()
	kind, _ := a.body["scimType"].(string)
	if a.status != status || kind != scimType || a.get("status") != fmt.Sprint(status) || a.get("detail") == "" ||
		a.get("schemas.0") != "urn:ietf:params:scim:api:messages:2.0:Error" {
		r.Errorf("want %d %q, got %d %s", status, scimType, a.status, a.raw)
	}
}

// user creates a user and returns the id.
func (r *rig) user(name string) string {
	r.Helper()
	return r.do(201, "POST", "Users", fmt.Sprintf(`{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],
		"userName":%q,"externalId":%q,"active":true}`, name, "x-"+name)).id()
}

// group creates a group and returns the id.
func (r *rig) group(name string, members ...string) string {
	r.Helper()
	list := []map[string]string{}
	for _, m := range members {
		list = append(list, map[string]string{"value": m})
	}
	raw, err := json.Marshal(map[string]any{"displayName": name, "members": list})
	r.ok(err)
	return r.do(201, "POST", "Groups", string(raw)).id()
}

// patch sends PATCH operations.
func (r *rig) patch(status int, path, operations string) answer {
	r.Helper()
	return r.do(status, "PATCH", path,
		`{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[`+operations+`]}`)
}

// find lists resources with a filter and returns their ids.
func (r *rig) find(collection, filter string) (ids []string) {
	r.Helper()
	a := r.do(200, "GET", collection+"?filter="+url.QueryEscape(filter), "")
	list, _ := a.body["Resources"].([]any)
	for _, one := range list {
		ids = append(ids, one.(map[string]any)["id"].(string))
	}
	return ids
}
