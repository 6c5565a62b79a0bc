package oidc

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/gitea"
)

// club is a real provider: a Gitea server with one person who owns an organization and another in one of its teams.
type club struct {
	*gitea.Server
	owner, member gitea.User
	organization  string
	opt           Options
}

func openClub(t *testing.T) *club {
	t.Helper()
	server, err := gitea.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	c := &club{Server: server, owner: server.User(t), member: server.User(t)}
	c.organization = server.Organization(t, c.owner)
	server.Team(t, c.owner, c.organization, "Writers", c.member)
	c.opt = Options{Issuer: server.URL, Scopes: []string{"groups"}, HTTP: http.DefaultClient, Now: time.Now}
	c.opt.ClientID, c.opt.ClientSecret = server.OIDCClient(t, "Lectern", callback)
	return c
}

// trip is a sign-in in progress.
type trip struct{ state, nonce, verifier string }

func newTrip() trip { return trip{rand.Text(), rand.Text(), rand.Text() + rand.Text()} }

// visit starts a sign-in, lets the person sign in and consent, and returns the parameters that the browser returns
// with.
func (c *club) visit(t *testing.T, p *Provider, person gitea.User, trip trip, agree bool) url.Values {
	t.Helper()
	address, err := p.Begin(t.Context(), callback, trip.state, trip.nonce, trip.verifier)
	if err != nil {
		t.Fatal(err)
	}
	back := c.SignIn(t, person, address, agree)
	if !strings.HasPrefix(back.String(), callback+"?") || back.Query().Get("state") != trip.state {
		t.Fatalf("the browser is sent to %s", back)
	}
	return back.Query()
}

func TestSignInWithRealProvider(t *testing.T) {
	c := openClub(t)
	t.Run("identifies the person", c.tells)
	t.Run("reads groups from userinfo", c.tellsInUserinfo)
	t.Run("refuses a different sign-in", c.refuses)
}

// tells tests the whole flow: discovery, sign-in and consent in a browser, PKCE, the ID token's signature and nonce,
// groups.
func (c *club) tells(t *testing.T) {
	p := New(c.opt)
	for _, person := range []struct {
		gitea.User
		groups []string
	}{
		{c.member, []string{c.organization, c.organization + ":writers"}},
		{c.owner, []string{c.organization, c.organization + ":owners"}},
		{c.User(t), nil},
	} {
		trip := newTrip()
		back := c.visit(t, p, person.User, trip, true)
		who, err := p.Finish(t.Context(), callback, back.Get("code"), trip.nonce, trip.verifier)
		if err != nil {
			t.Fatal(err)
		}
		if who.Issuer != c.URL || who.Subject == "" || who.Email != person.Email || !who.Verified ||
			who.Name != person.Name ||
			!slices.Equal(who.Groups, person.groups) {
			t.Errorf("%s is %+v, want groups %v", person.Name, who, person.groups)
		}
		if _, err := p.Finish(t.Context(), callback, back.Get("code"), trip.nonce, trip.verifier); err == nil {
			t.Error("the code works twice")
		} else {
			wantFault(t, err, "oidc_refused", "exchange code")
		}
		again := newTrip()
		back = c.visit(t, p, person.User, again, true)
		if same, err := p.Finish(t.Context(), callback, back.Get("code"), again.nonce, again.verifier); err != nil ||
			same.Subject != who.Subject {
			t.Errorf("second sign-in of %s: %+v, %v", person.Name, same, err)
		}
	}
}

// tellsInUserinfo tests the flow without the groups scope, in which Gitea's ID token has no groups. It uses a
// separate client, because Gitea remembers earlier consent.
func (c *club) tellsInUserinfo(t *testing.T) {
	opt := c.opt
	opt.Scopes = nil
	opt.ClientID, opt.ClientSecret = c.OIDCClient(t, "Lectern without groups", callback)
	p, trip := New(opt), newTrip()
	back := c.visit(t, p, c.member, trip, true)
	who, err := p.Finish(t.Context(), callback, back.Get("code"), trip.nonce, trip.verifier)
	if err != nil || !slices.Equal(who.Groups, []string{c.organization, c.organization + ":writers"}) ||
		who.Email != c.member.Email || !who.Verified {
		t.Errorf("%+v, %v", who, err)
	}
}

func (c *club) refuses(t *testing.T) {
	p := New(c.opt)
	if back := c.visit(t, p, c.User(t), newTrip(), false); back.Get("error") != "access_denied" || back.Has("code") {
		t.Errorf("without consent the browser returns with %v", back)
	}
	wrongSecret := c.opt
	wrongSecret.ClientSecret = "not-the-secret"
	for name, c2 := range map[string]struct {
		provider            *Provider
		redirect, verifier  string // "" = unchanged
		nonce, code, reason string
	}{
		"another verifier": {provider: p, verifier: rand.Text() + rand.Text(), code: "oidc_refused", reason: "PKCE"},
		"another nonce":    {provider: p, nonce: "another", code: "oidc_refused", reason: "nonce"},
		"another address": {provider: p, redirect: "http://lectern.example.com/other", code: "oidc_refused",
			reason: "redirect"},
		"another secret": {provider: New(wrongSecret), code: "oidc_refused", reason: "client secret"},
	} {
		t.Run(name, func(t *testing.T) {
			trip := newTrip()
			back := c.visit(t, p, c.member, trip, true)
			who, err := c2.provider.Finish(t.Context(), cmp.Or(c2.redirect, callback), back.Get("code"),
				cmp.Or(c2.nonce, trip.nonce), cmp.Or(c2.verifier, trip.verifier))
			wantFault(t, err, c2.code, c2.reason)
			if who.Subject != "" {
				t.Errorf("%+v", who)
			}
		})
	}
}
