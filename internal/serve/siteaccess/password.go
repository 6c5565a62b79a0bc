package siteaccess

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/access"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
	"github.com/lectern-docs/lectern/internal/serve/attempts"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// showSignIn shows the sign-in options. A reader who is already signed in is redirected.
func (s *Service) showSignIn(w http.ResponseWriter, r *http.Request, site siteapi.Protected, problem string) error {
	next := safeNext(r.URL.Query().Get("next"))
	switch _, err := s.findSession(r, site); {
	case err == nil:
		redirect(w, site.Base+next)
		return nil
	case !fault.Is(err, fault.Unauthenticated):
		return err
	}
	// The session ended on the server, but the browser still has its cookie.
	if cookieValue(r, s.cookieName(r, site, signedInCookie)) != "" {
		s.setCookie(w, r, site, signedInCookie, "", -1)
	}
	return s.writeSignIn(w, r, site, http.StatusOK, next, problem)
}

func (s *Service) writeSignIn(w http.ResponseWriter, r *http.Request, site siteapi.Protected, status int,
	next, problem string) error {
	a, err := s.settings(r.Context(), site)
	if err != nil {
		return err
	}
	offered := ways{Password: a.Mode == access.Password, Providers: providerWays(a, site.Base, next),
		Handoff: handoffWay(a, next)}
	if s.Dashboard != nil {
		offered.Member = site.Base + withNext(memberPath, next)
	}
	return s.page.write(w, r, status, view{Look: site.Look(r.Context()), Base: site.Base, Kind: "in", Next: next,
		Problem: problem, Ways: offered})
}

// signInWithPassword checks the password shared by all of a site's readers.
func (s *Service) signInWithPassword(w http.ResponseWriter, r *http.Request, site siteapi.Protected) error {
	if err := s.cross.Check(r); err != nil {
		return otherSite()
	}
	if err := s.checkTransport(r); err != nil {
		return err
	}
	if err := r.ParseForm(); err != nil {
		return fault.New(fault.Invalid, "invalid_form", "The form could not be read.").WithCause(err)
	}
	next := safeNext(r.PostForm.Get("next"))
	a, err := s.settings(r.Context(), site)
	if err == nil && a.Mode != access.Password {
		err = nothingHere()
	}
	if err == nil {
		err = s.checkPassword(r, a, r.PostForm.Get("password"))
	}
	if f, ok := fault.As(err); ok && (f.Code == wrongPassword || f.Kind == fault.RateLimited) {
		if f.RetryAfter > 0 {
			w.Header().Set("Retry-After", fmt.Sprint(apierror.Seconds(f.RetryAfter)))
		}
		return s.writeSignIn(w, r, site, apierror.Status(f.Kind), next, f.Sentence())
	}
	if err != nil {
		return err
	}
	if err := s.open(w, r, site, access.Session{Version: a.Version, Method: access.Password}, nil); err != nil {
		return err
	}
	redirect(w, site.Base+next)
	return nil
}

const wrongPassword = "wrong_password"

// checkPassword compares a password with the site's, subject to the limits on guessing. Each permitted attempt costs
// one hash, whether or not the password is correct.
func (s *Service) checkPassword(r *http.Request, a access.Settings, password string) error {
	ctx, from := r.Context(), s.place(r)
	pair := a.ProjectID + "\x00" + from
	giveBack, err := s.countAttempt(ctx, a.ProjectID, from, pair)
	if err != nil {
		return err
	}
	right, err := s.verify(ctx, a.PasswordHash, password)
	if err != nil {
		giveBack() // an error on our side
		return err
	}
	if !right {
		s.Log.InfoContext(ctx, "reader sign-in failed", "project", a.ProjectID, "network", attempts.Network(from))
		return fault.New(fault.Unauthenticated, wrongPassword, "The password is wrong.")
	}
	giveBack()
	s.pairs.Forget(ctx, pair)
	return nil
}

// place returns the network under which a caller's failures are counted.
func (s *Service) place(r *http.Request) string {
	if addr := s.Proxies.Caller(r); addr.IsValid() {
		return attempts.Place(addr.String())
	}
	return ""
}

// countAttempt counts a failure in advance: by network, by site and network, and by site in total. The last count never
// blocks attempts by itself: it slows them down and lowers the limit for each network.
func (s *Service) countAttempt(ctx context.Context, projectID, from, pair string) (giveBack func(), err error) {
	if err := s.places.Take(ctx, from); err != nil {
		return nil, err
	}
	all, err := s.projects.Add(ctx, projectID)
	if err != nil {
		s.places.GiveBack(ctx, from)
		return nil, err
	}
	undo := func() { s.places.GiveBack(ctx, from); s.projects.GiveBack(ctx, projectID) }
	most := triesByPair
	if all > attackedFrom {
		most = triesAttacked
	}
	if err := s.pairs.TakeUpTo(ctx, pair, most); err != nil {
		undo()
		return nil, err
	}
	giveBack = func() { undo(); s.pairs.GiveBack(ctx, pair) }
	if all > slowFrom {
		if err := s.Wait(ctx, min(longestWait, time.Duration(1+(all-slowFrom)/10)*time.Second)); err != nil {
			giveBack()
			return nil, fmt.Errorf("wait before checking a password: %w", err)
		}
	}
	return giveBack, nil
}

// hashWait limits the wait for a hashing slot.
const hashWait = 20 * time.Second

// verify compares a password with a stored hash. The number of concurrent hashes is limited, because each takes
// memory and a core.
func (s *Service) verify(ctx context.Context, hash, password string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, hashWait)
	defer cancel()
	select {
	case s.hashing <- struct{}{}:
		defer func() { <-s.hashing }()
		ok, _ := s.Passwords.Verify(hash, password)
		return ok, nil
	case <-ctx.Done():
		return false, fault.New(fault.Unavailable, "busy", "Too many people are signing in at the moment.").
			WithHint("Try again in a moment.").WithRetryAfter(time.Second).WithCause(ctx.Err())
	}
}
