package signin

import (
	"context"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store"
)

// Browser describes the client of a sign-in request.
type Browser struct {
	Address   string // "" = unknown
	Agent     string // User-Agent
	RequestID string // for audit records
	token     string // token of the browser's current session, which ends when a new one starts
	device    string // value of the cookie from an earlier sign-in
}

const maxAgent = 300 // bytes

// Browser returns the client of a request.
func (d *Service) Browser(r *http.Request, requestID string) Browser {
	b := Browser{RequestID: requestID, Agent: r.UserAgent(), token: d.cookie(r)}
	if c, err := r.Cookie(d.deviceName(r)); err == nil {
		b.device = c.Value
	}
	if a := d.Proxies.Caller(r); a.IsValid() {
		b.Address = a.String()
	}
	if len(b.Agent) > maxAgent {
		b.Agent = b.Agent[:maxAgent]
	}
	b.Agent = strings.ToValidUTF8(b.Agent, "")
	return b
}

// enter starts a session with a new token. also, which may be nil, runs in the same transaction with the person's
// current state. If the person's password or second factor has changed since p was read, the sign-in fails.
func (d *Service) enter(ctx context.Context, p account.Person, method string, b Browser,
	also func(*store.Tx, *account.Person, account.Session) error) (Entered, error) {
	token := account.NewToken(d.Rand)
	err := d.Store.Tx(ctx, func(tx *store.Tx) error {
		now, err := tx.HoldPerson(ctx, p.ID)
		if err != nil {
			return err
		}
		if now.PasswordHash != p.PasswordHash || now.TOTPSealed != p.TOTPSealed {
			return startOver()
		}
		before := len(now.Recovery)
		s, err := d.begin(ctx, tx, now, "", method, b, token)
		if err != nil {
			return err
		}
		if also != nil {
			if err := also(tx, &now, s); err != nil {
				return err
			}
		}
		if len(now.Recovery) < before {
			if err := d.record(ctx, tx, now, s.OrganizationID, "member.recovery_used", "", b,
				leftData(len(now.Recovery))); err != nil {
				return err
			}
		}
		return d.recordArrival(ctx, tx, now, s, b)
	})
	if err != nil {
		return Entered{}, err
	}
	return Entered{Token: token, Device: d.newDevice(p, b), RecoveryLeft: -1}, nil
}

// begin stores a session and ends the browser's previous one (K10). The session's current organization is the given
// one or, if that is "", the one the person used last.
func (d *Service) begin(ctx context.Context, tx *store.Tx, p account.Person, organizationID, method string, b Browser,
	token string) (account.Session, error) {
	if organizationID == "" {
		var err error
		if organizationID, err = d.lastPlace(ctx, tx, p); err != nil {
			return account.Session{}, err
		}
	}
	if err := d.endOld(ctx, tx, p, b); err != nil {
		return account.Session{}, err
	}
	return tx.CreateSession(ctx,
		account.Session{Hash: account.TokenHash(token), PersonID: p.ID, OrganizationID: organizationID, Method: method,
			Address: b.Address, Agent: b.Agent})
}

func (d *Service) recordArrival(ctx context.Context, tx *store.Tx, p account.Person, s account.Session,
	b Browser) error {
	return d.record(ctx, tx, p, s.OrganizationID, "member.sign_in", "", b,
		map[string]string{"method": s.Method, "address": b.Address})
}

// lastPlace returns the organization that a person used last, if they are still a member, or else their first one; ""
// if they have none.
func (d *Service) lastPlace(ctx context.Context, tx *store.Tx, p account.Person) (string, error) {
	places, err := tx.ListMemberships(ctx, p.Email)
	if err != nil || len(places) == 0 {
		return "", err
	}
	sessions, err := tx.ListSessions(ctx, p.ID)
	if err != nil {
		return "", err
	}
	for _, s := range sessions {
		for _, m := range places {
			if m.Organization.ID == s.OrganizationID {
				return s.OrganizationID, nil
			}
		}
	}
	return places[0].Organization.ID, nil
}

// endOld ends the browser's previous session. If it belongs to another person, their sign-out is recorded.
func (d *Service) endOld(ctx context.Context, tx *store.Tx, p account.Person, b Browser) error {
	if !account.IsToken(b.token) {
		return nil
	}
	old, err := tx.FindVisitor(ctx, account.TokenHash(b.token))
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := tx.EndSession(ctx, old.Person.ID, old.Session.ID); err != nil || old.Person.ID == p.ID {
		return err
	}
	return d.record(ctx, tx, old.Person, old.Session.OrganizationID, "member.sign_out", "", b, nil)
}

// record adds a person's action to an organization's audit log. If the person is not a member of the organization,
// nothing is recorded. A target of "" means the member.
func (d *Service) record(ctx context.Context, tx *store.Tx, p account.Person, organizationID, action, target string,
	b Browser, data map[string]string) error {
	m, err := tx.FindMemberByEmail(ctx, organizationID, p.Email)
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if target == "" {
		target = m.ID
	}
	return tx.Record(ctx, event.New(organizationID, m.ID, action, target, b.RequestID, d.Now(), data))
}

// place returns the visit's current organization; "" = none.
func (v Visit) place() string {
	if v.Membership == nil {
		return ""
	}
	return v.Membership.Organization.ID
}
