package signin

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/passhash"
	"github.com/lectern-docs/lectern/internal/store"
)

// Options are what a Service needs.
type Options struct {
	Store     *store.Store
	Now       func() time.Time
	Rand      io.Reader
	Log       *slog.Logger
	Masters   [][]byte // the server's master key, then earlier ones: second factors are sealed with the first
	Limits    account.SessionLimits
	Proxies   auth.Proxies
	AllowHTTP bool          // whether people may sign in over plain HTTP from elsewhere than this machine
	IDP       *IDP          // nil = people sign in by password alone
	Mail      bool          // people who forgot their password can get a link by mail
	Passwords passhash.Cost // of a new hash; zero in production

	Wait func(ctx context.Context, d time.Duration) error // slows guesses down; nil = by a timer
}

// Service signs people in and finds their sessions. It is safe for concurrent use.
type Service struct {
	Options
	hashing chan struct{} // one place for each password that may be hashed at once

	places   *attempts.Limit // wrong passwords, by network
	pairs    *attempts.Limit // wrong passwords by account and network; wrong recovery codes by person and network
	accounts *attempts.Limit // wrong passwords by account, which slow unknown browsers down
	devices  *attempts.Limit // wrong passwords, by browser in which the person signed in before
	sessions *attempts.Limit // wrong passwords of people who are signed in, by session
	codes    *attempts.Limit // wrong codes, by person
	halves   *attempts.Limit // wrong codes, by password that was right before

	deviceCodes *attempts.Limit // wrong codes, by browser in which the person signed in before

	resetPlaces *attempts.Limit // requests for a new password, by network
	resets      *attempts.Limit // and by address
}

// New creates a Service.
func New(o Options) *Service {
	count := func(kind string, most int, window time.Duration) *attempts.Limit {
		return &attempts.Limit{Kind: kind, Most: most, Window: window, Counts: o.Store, Log: o.Log}
	}
	if o.Wait == nil {
		o.Wait = attempts.Wait
	}
	return &Service{Options: o, hashing: make(chan struct{}, runtime.GOMAXPROCS(0)),
		places: count("sign-in place", triesByPlace, tryWindow), pairs: count("sign-in pair", triesByPair, tryWindow),
		accounts: count("sign-in account", 0, tryWindow), devices: count("sign-in device", triesByDevice, tryWindow),
		deviceCodes: count("code device", triesByDevice, tryWindow),
		sessions:    count("password again", triesBySession, tryWindow), codes: count("code", triesByPerson, tryWindow),
		halves:      count("code after password", triesByHalf, halfLife),
		resetPlaces: count("reset place", resetsByPlace, resetWindow), resets: count("reset", resetsByAddress, resetWindow)}
}

// HasOwner reports whether anybody can sign in who owns an organization. Before that, the link that the server prints
// is the way in.
func (d *Service) HasOwner(ctx context.Context) (bool, error) { return d.Store.AnyOwnerAccount(ctx) }

// Visit is a signed-in person, for the duration of a request.
type Visit struct {
	Session     account.Session
	Person      account.Person
	Membership  *account.Membership // where they act now; nil = they are a member of nothing
	Memberships []account.Membership
	token       string
}

// FormToken returns what the visit's forms carry.
func (v Visit) FormToken() string { return account.FormToken(v.token) }

// seenInterval is how exactly the last use of a session is kept.
const seenInterval = time.Minute

// unattended marks requests that a person did not make by hand.
type unattended struct{}

// Unattended says that what happens under ctx is no use of a session: an open page that looks for news by itself does
// not keep its person signed in beyond the idle limit (K10).
func Unattended(ctx context.Context) context.Context {
	return context.WithValue(ctx, unattended{}, true)
}

// Find returns the session of a request's cookie; an unauthenticated fault if there is none.
func (d *Service) Find(r *http.Request) (Visit, error) {
	token := d.cookie(r)
	if !account.IsToken(token) {
		return Visit{}, noSession()
	}
	return d.find(r.Context(), token)
}

// Visitor returns who is behind a token that was just made.
func (d *Service) Visitor(ctx context.Context, token string) (Visit, error) {
	return d.find(ctx, token)
}

func (d *Service) find(ctx context.Context, token string) (Visit, error) {
	found, err := d.Store.FindVisitor(ctx, account.TokenHash(token))
	if fault.Is(err, fault.NotFound) {
		return Visit{}, noSession()
	}
	if err != nil {
		return Visit{}, err
	}
	now := d.Now()
	if !found.Session.Live(now, d.Limits) {
		return Visit{}, noSession()
	}
	v := Visit{Session: found.Session, Person: found.Person, token: token}
	if v.Memberships, err = d.Store.ListMemberships(ctx, found.Person.Email); err != nil {
		return Visit{}, err
	}
	for i, m := range v.Memberships {
		if m.Organization.ID == v.Session.OrganizationID || v.Membership == nil {
			v.Membership = &v.Memberships[i]
		}
	}
	if now.Sub(found.Session.SeenAt) >= seenInterval && ctx.Value(unattended{}) == nil {
		if err := d.Store.TouchSession(ctx, found.Session.ID, now); err != nil {
			d.Log.WarnContext(ctx, "store last use of session failed", "error", err)
		}
	}
	return v, nil
}

// Caller returns the visit as the admin API asks for it: looked up each time, so that a session that ends or a role
// that changes counts at once, also for streams.
func (d *Service) Caller(v Visit) auth.Caller {
	return func(ctx context.Context) (store.Principal, error) {
		now, err := d.find(ctx, v.token)
		if err != nil {
			return store.Principal{}, err
		}
		if now.Membership == nil || v.Membership == nil ||
			now.Membership.Organization.ID != v.Membership.Organization.ID {
			return store.Principal{},
				fault.New(fault.Unauthenticated, "no_membership", "You are no longer a member of this organization.")
		}
		return store.Principal{Member: now.Membership.Member, Organization: now.Membership.Organization}, nil
	}
}

// SessionEnded is the code for a cookie without a session.
const SessionEnded = "session_ended"

func noSession() error {
	return fault.New(fault.Unauthenticated, SessionEnded, "You are not signed in, or your session has ended.").
		WithHint("Sign in again.")
}
