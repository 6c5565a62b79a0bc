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

// Options configures a Service.
type Options struct {
	Store     *store.Store
	Now       func() time.Time
	Rand      io.Reader
	Log       *slog.Logger
	Masters   [][]byte // the server's master key, then earlier ones; second factors are encrypted with the first
	Limits    account.SessionLimits
	Proxies   auth.Proxies
	AllowHTTP bool          // whether people may sign in over plain HTTP from other machines
	IDP       *IDP          // nil = people sign in only by password
	Mail      bool          // people who forgot their password can get a link by email
	Passwords passhash.Cost // cost of a new hash; zero in production

	Wait func(ctx context.Context, d time.Duration) error // waits, to slow down guessing; nil = uses a timer
}

// Service signs people in and finds their sessions. It is safe for concurrent use.
type Service struct {
	Options
	hashing chan struct{} // a semaphore for concurrent password hashing

	places   *attempts.Limit // wrong passwords, by network
	pairs    *attempts.Limit // wrong passwords by account and network; wrong recovery codes by person and network
	accounts *attempts.Limit // wrong passwords by account; slows down unknown browsers
	devices  *attempts.Limit // wrong passwords, by browser in which the person has signed in before
	sessions *attempts.Limit // wrong passwords of signed-in people, by session
	codes    *attempts.Limit // wrong codes, by person
	halves   *attempts.Limit // wrong codes, by preceding correct password

	deviceCodes *attempts.Limit // wrong codes, by browser in which the person has signed in before

	resetPlaces *attempts.Limit // requests for a new password, by network
	resets      *attempts.Limit // requests for a new password, by address
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

// HasOwner reports whether an owner of an organization can sign in. Until then, people join with the link printed by
// the server.
func (d *Service) HasOwner(ctx context.Context) (bool, error) { return d.Store.AnyOwnerAccount(ctx) }

// Visit is a request from a signed-in person.
type Visit struct {
	Session     account.Session
	Person      account.Person
	Membership  *account.Membership // current organization; nil = the person is not a member of any
	Memberships []account.Membership
	token       string
}

// FormToken returns the token for the visit's forms.
func (v Visit) FormToken() string { return account.FormToken(v.token) }

// seenInterval is the precision with which a session's last use is stored.
const seenInterval = time.Minute

// unattended is the context key for requests not made by a person, such as polling.
type unattended struct{}

// Unattended marks ctx so that its requests do not count as a use of the session: an open page that polls does not
// keep its user signed in beyond the idle limit (K10).
func Unattended(ctx context.Context) context.Context {
	return context.WithValue(ctx, unattended{}, true)
}

// Find returns the session for a request's cookie, or an unauthenticated fault.
func (d *Service) Find(r *http.Request) (Visit, error) {
	token := d.cookie(r)
	if !account.IsToken(token) {
		return Visit{}, noSession()
	}
	return d.find(r.Context(), token)
}

// Visitor returns the visit for a new token.
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
			d.Log.WarnContext(ctx, "failed to update the session's last use", "error", err)
		}
	}
	return v, nil
}

// Caller returns a function with which the admin API looks up the visit each time, so that the end of a session or a
// change of role takes effect immediately, even for streams.
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

// SessionEnded is the error code for a cookie without a session.
const SessionEnded = "session_ended"

func noSession() error {
	return fault.New(fault.Unauthenticated, SessionEnded, "You are not signed in, or your session has ended.").
		WithHint("Sign in again.")
}
