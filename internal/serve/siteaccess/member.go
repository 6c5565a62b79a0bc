package siteaccess

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/domain/account"
	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
	"github.com/lectern-docs/lectern/internal/store"
)

// Members of the organization prove their identity on the dashboard's origin, where they are signed in. The browser
// is sent there with the digest of a secret that it keeps. It returns with a code that works once, for a minute, on
// this host, and only in the browser that has the secret.
const (
	memberPath   = loginPath + "/member"
	memberReturn = memberPath + "/return"

	// DashboardPath is the dashboard's path for browsers sent by a site.
	DashboardPath = "/dashboard/reader"

	startLife = 10 * time.Minute // how long a person may take to sign in to the dashboard
	codeLife  = time.Minute
)

// Purposes of encrypted values, each with its own key.
const (
	forStart = "lectern reader start"
	forCode  = "lectern reader code"
)

// start is the state that a browser keeps while it is on another site to sign in. It is encrypted for the site's
// project and host.
type start struct {
	Secret string    `json:"secret"`
	Next   string    `json:"next"`
	Until  time.Time `json:"until"`

	// identity provider used to sign in; "" = the dashboard
	Provider string `json:"provider,omitempty"`
	Version  int64  `json:"version,omitempty"` // version of the site's settings
	Nonce    string `json:"nonce,omitempty"`   // nonce of OpenID Connect; the request id of SAML is derived from it
	Verifier string `json:"verifier,omitempty"`
}

// code is what the dashboard gives a browser for a site. It is encrypted for the site's project and domain.
type code struct {
	ID      string    `json:"id"`     // makes the code usable only once
	State   string    `json:"state"`  // digest of the browser's secret
	Person  string    `json:"person"` // who is signed in to the dashboard
	Session string    `json:"session"`
	Until   time.Time `json:"until"`
}

func owner(projectID, host string) string { return projectID + " " + host }

func (s *Service) beginMember(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if s.Dashboard == nil {
		return nothingHere()
	}
	if err := s.checkTransport(r); err != nil {
		return err
	}
	begun := start{Secret: account.NewToken(s.Rand), Next: safeNext(r.URL.Query().Get("next")),
		Until: s.Now().Add(startLife)}
	s.setCookie(w, r, site, startCookie, s.seal(forStart, owner(site.ProjectID, site.Host), begun), int(startLife.Seconds()))
	redirect(w, strings.TrimRight(s.Dashboard(), "/")+DashboardPath+"?"+url.Values{"project": {site.ProjectID},
		"host": {site.Domain()}, "state": {account.TokenHash(begun.Secret)}}.Encode())
	return nil
}

// Member is a person who is signed in to the dashboard.
type Member struct {
	PersonID  string
	SessionID string
	Members   []account.Member // the person's membership in each organization
}

// sees reports whether the person may know that a project exists.
func (m Member) sees(live store.Live) bool {
	return slices.ContainsFunc(m.Members, func(in account.Member) bool {
		return in.OrganizationID == live.OrganizationID && in.Sees(live.ProjectID)
	})
}

// HandOff returns the URL that sends a member's browser back to the site that it came from. People who are not members,
// and guests without a role in the project, learn nothing about the site.
func (s *Service) HandOff(ctx context.Context, who Member, projectID, domain, state string) (address string, err error) {
	live, err := s.findSite(ctx, domain)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return "", err
	}
	if err != nil || live.ProjectID != projectID || !who.sees(live) {
		return "", fault.New(fault.NotFound, "unknown_site", "You cannot read this site with your account.").
			WithHint("Ask an owner or admin of the site's organization for an invitation, or sign in with another account.")
	}
	if len(state) != len(account.TokenHash("")) {
		return "", fault.New(fault.Invalid, "invalid_field", "The sign-in was not started on a site.").WithField("state")
	}
	sealed := s.seal(forCode, owner(projectID, domain), code{ID: account.NewToken(s.Rand),
		State: state, Person: who.PersonID, Session: who.SessionID, Until: s.Now().Add(codeLife)})
	return strings.TrimRight(s.SiteURL(domain), "/") + memberReturn + "?code=" + url.QueryEscape(sealed), nil
}

func (s *Service) findSite(ctx context.Context, domain string) (store.Live, error) {
	if label, ok := strings.CutSuffix(domain, "."+s.PreviewDomain); ok && s.PreviewDomain != "" {
		return s.Sites.FindLivePreview(ctx, deploy.FromHostLabel(label))
	}
	return s.Sites.FindLive(ctx, domain)
}

// finishMember signs in a member whom the dashboard sent back.
func (s *Service) finishMember(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	begun, ok := s.takeStart(w, r, site)
	if !ok || begun.Provider != "" {
		return startOver()
	}
	var got code
	if _, ok := s.unseal(forCode, owner(site.ProjectID, site.Domain()), r.URL.Query().Get("code"), &got); !ok ||
		!s.Now().Before(got.Until) ||
		subtle.ConstantTimeCompare([]byte(got.State), []byte(account.TokenHash(begun.Secret))) != 1 {
		return startOver()
	}
	if err := s.useOnce(r.Context(), "reader code", got.ID, codeLife); err != nil {
		return err
	}
	a, err := s.settings(r.Context(), site)
	if err != nil {
		return err
	}
	if err := s.open(w, r, site, access.Session{Version: a.Version, Method: access.Organization, Subject: got.Person,
		MemberSession: got.Session}, nil); err != nil {
		return err
	}
	redirect(w, site.Base+safeNext(begun.Next))
	return nil
}

// takeStart returns the state from the browser's cookie and deletes the cookie, which is valid for one return.
func (s *Service) takeStart(w http.ResponseWriter, r *http.Request, site siteapi.Protected) (begun start, ok bool) {
	kept := cookieValue(r, s.cookieName(r, site, startCookie))
	s.setCookie(w, r, site, startCookie, "", -1)
	_, ok = s.unseal(forStart, owner(site.ProjectID, site.Host), kept, &begun)
	return begun, ok && s.Now().Before(begun.Until)
}

func startOver() error {
	return fault.New(fault.Unauthenticated, "start_over",
		"This sign-in was not started in this browser, or took too long.").WithHint("Start again.")
}

const maxSealed = 4096 // bytes; ours are shorter

func (s *Service) unseal(purpose, owner, sealed string, v any) (stale, ok bool) {
	if len(sealed) > maxSealed {
		return false, false
	}
	return sealbox.Open(s.Masters, purpose, owner, sealed, v)
}

// useOnce rejects an id that was used before, across all processes. life is how long the id is valid.
func (s *Service) useOnce(ctx context.Context, kind, id string, life time.Duration) error {
	c, err := s.Counts.CountUp(ctx, kind, id, 1, life+time.Minute) // tolerates clock differences between processes
	if err == nil && c.N > 1 {
		err = fault.New(fault.Unauthenticated, "used_before", "This sign-in was already used.").WithHint("Start again.")
	}
	return err
}
