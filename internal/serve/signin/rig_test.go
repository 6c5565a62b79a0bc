package signin_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/serve/signin"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/store/storetest"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const (
	goodPassword  = "seven green bicycles"
	otherPassword = "a lamp for the harbour"
)

// cheap is the hashing cost in tests, which sign in hundreds of times.
var cheap = passhash.Cost{Memory: 64, Passes: 1}

// atProductionCost sets the hashing cost used in production.
func atProductionCost(o *signin.Options) { o.Passwords = passhash.Cost{} }

var master, olderMaster = bytes.Repeat([]byte("m"), 32), bytes.Repeat([]byte("o"), 32)

// rig is a Service with a real database.
type rig struct {
	*testing.T
	store   *store.Store
	file    string // SQLite file
	clock   *worktest.Clock
	log     *worktest.Log
	options signin.Options
	service *signin.Service
	org     account.Organization

	mu    sync.Mutex
	waits []time.Duration // delays of attempts that were slowed down
}

// wait records how long an attempt is slowed down, and returns at once.
func (r *rig) wait(_ context.Context, d time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d > 0 {
		r.waits = append(r.waits, d)
	}
	return nil
}

func sqlite(t *testing.T) string { return storetest.SQLite(t, filepath.Join(t.TempDir(), "ledger.db")) }

func newRig(t *testing.T, changes ...func(*signin.Options)) *rig {
	return newRigOn(t, sqlite(t), changes...)
}

func newRigOn(t *testing.T, url string, changes ...func(*signin.Options)) *rig {
	t.Helper()
	r := &rig{T: t, file: url, clock: worktest.NewClock(time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC)),
		log: &worktest.Log{}}
	var err error
	r.store, err = store.Open(t.Context(), store.Options{URL: url, Now: r.clock.Now, IDs: id.Source{Rand: rand.Reader}})
	r.ok(err)
	t.Cleanup(func() { _ = r.store.Close() })
	_, err = r.store.Migrate(t.Context())
	r.ok(err)
	r.options = signin.Options{Store: r.store, Now: r.clock.Now, Rand: rand.Reader,
		Log: slog.New(slog.NewTextHandler(r.log, nil)), Masters: [][]byte{master},
		Limits: account.SessionLimits{Idle: time.Hour, Absolute: 8 * time.Hour}, Wait: r.wait, Passwords: cheap}
	for _, change := range changes {
		change(&r.options)
	}
	r.service = signin.New(r.options)
	r.org = r.organization("Acme")
	return r
}

func (r *rig) ok(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// refused checks that an error is a fault with this code.
func (r *rig) refused(err error, code string) {
	r.Helper()
	if !fault.HasCode(err, code) {
		r.Errorf("want %s, got %v", code, err)
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

// member stores a person with goodPassword who is a member; role "" = not a member.
func (r *rig) member(email string, role account.Role) (p account.Person) {
	r.Helper()
	hash := r.options.Passwords.Hash(rand.Reader, goodPassword)
	r.tx(func(tx *store.Tx) (err error) {
		if p, err = tx.CreatePerson(r.Context(), account.Person{Email: email, PasswordHash: hash}); err != nil ||
			role == "" {
			return err
		}
		_, err = tx.AddMember(r.Context(), r.org.ID, email, role)
		return err
	})
	return p
}

func (r *rig) attempt(email, password string) signin.Attempt {
	return signin.Attempt{Email: email, Password: password,
		Browser: signin.Browser{Address: "192.0.2.1", Agent: "Firefox/1"}}
}

// in signs someone in and returns the token and the visit.
func (r *rig) in(email string) (token string, v signin.Visit) {
	r.Helper()
	in, err := r.service.SignIn(r.Context(), r.attempt(email, goodPassword))
	r.ok(err)
	return in.Token, r.visit(in.Token)
}

func (r *rig) visit(token string) signin.Visit {
	r.Helper()
	v, err := r.service.Find(r.request(token))
	r.ok(err)
	return v
}

// live reports whether a token is valid.
func (r *rig) live(token string) bool {
	_, err := r.service.Find(r.request(token))
	if err != nil {
		r.refused(err, "session_ended")
	}
	return err == nil
}

// request returns a request from a local browser with the cookie.
func (r *rig) request(token string) *http.Request {
	q := httptest.NewRequestWithContext(r.Context(), http.MethodGet, "http://localhost/dashboard/", nil)
	if token != "" {
		q.AddCookie(&http.Cookie{Name: "lectern_session", Value: token})
	}
	return q
}

// browser returns the browser that has the cookie.
func (r *rig) browser(token string) signin.Browser {
	return r.service.Browser(r.request(token), "req_test")
}

// actions lists the actions in the organization's audit log, oldest first: by one actor, or by all if actor is "".
func (r *rig) actions(actor string) (out []string) {
	r.Helper()
	list, err := r.store.ListEvents(r.Context(), r.org.ID, 0, 1000)
	r.ok(err)
	for _, e := range list {
		if !e.Verify() {
			r.Errorf("event %d is not what was written", e.Sequence)
		}
		if actor == "" || e.Actor == actor {
			out = append(out, e.Action)
		}
	}
	return out
}

func (r *rig) memberID(email string) string {
	r.Helper()
	m, err := r.store.FindMemberByEmail(r.Context(), r.org.ID, email)
	r.ok(err)
	return m.ID
}

// did checks which of a member's actions are in the audit log.
func (r *rig) did(email string, want ...string) {
	r.Helper()
	if got := r.actions(r.memberID(email)); !slices.Equal(got, want) {
		r.Errorf("%s did %v, want %v", email, got, want)
	}
}

// invite stores a link and returns its secret.
func (r *rig) invite(kind account.InvitationKind, email string, role account.Role, by string) (token string) {
	r.Helper()
	token = account.NewToken(rand.Reader)
	r.tx(func(tx *store.Tx) error {
		_, err := tx.CreateInvitation(r.Context(),
			account.Invitation{OrganizationID: r.org.ID, Kind: kind, Email: email, Role: role,
				Hash: account.TokenHash(token), CreatedBy: by, ExpiresAt: r.clock.Now().Add(24 * time.Hour)})
		return err
	})
	return token
}

func (r *rig) person(email string) account.Person {
	r.Helper()
	p, err := r.store.FindPersonByEmail(r.Context(), email)
	r.ok(err)
	return p
}

// withTOTP turns on a person's second factor and returns the secret, the recovery codes and the session's token.
func (r *rig) withTOTP(email string) (secret string, recovery []string, token string) {
	r.Helper()
	old, v := r.in(email)
	s, err := r.service.BeginTOTP(v, "Lectern localhost")
	r.ok(err)
	token, recovery, err = r.service.ConfirmTOTP(r.Context(), v, s.Sealed, r.code(s.Secret), goodPassword,
		r.browser(old))
	r.ok(err)
	r.clock.Advance(time.Minute) // this code has been used, the next one has not
	return s.Secret, recovery, token
}

// code returns the code that an app shows now (RFC 6238), computed independently of the server's code.
func (r *rig) code(secret string) string {
	r.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	r.ok(err)
	mac := hmac.New(sha1.New, key)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(r.clock.Now().Unix()/30)))
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[19]&15:])&0x7fffffff%1_000_000)
}

// half signs in with the password and returns the state for the form that asks for a code.
func (r *rig) half(email string) string {
	r.Helper()
	in, err := r.service.SignIn(r.Context(), r.attempt(email, goodPassword))
	r.ok(err)
	if in.Half == "" || in.Token != "" {
		r.Fatalf("the password alone gave %+v", in)
	}
	return in.Half
}

// words returns the whole content of the database, in order to search it for secrets.
func (r *rig) words() string {
	r.Helper()
	var b strings.Builder
	for _, table := range []string{"people", "sessions", "invitations", "events", "members"} {
		rows, err := r.store.SQLite().QueryContext(r.Context(), "SELECT * FROM "+table)
		r.ok(err)
		columns, err := rows.Columns()
		r.ok(err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			r.ok(rows.Scan(values...))
			for _, v := range values {
				fmt.Fprint(&b, *v.(*any), " ")
			}
		}
		r.ok(rows.Err())
		r.ok(rows.Close())
	}
	return b.String()
}
