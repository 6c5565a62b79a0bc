package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
)

// A private site with the same pages. Browsers permit sign-in without TLS for names under .localhost.
const (
	privateDomain   = "bench.localhost"
	privatePassword = "seven green bicycles"
)

// protected compares a page of a private site, requested by a signed-in reader, with the same page of a public site
// on the same server: the difference is the cost of finding the session and of the headers of private responses.
func protected(ctx context.Context, o options, public rival, source, data string) error {
	key, err := makeKey(ctx, o.binary, data)
	if err != nil {
		return err
	}
	cookie, err := openPrivateSite(ctx, public.url, key, source)
	if err != nil {
		return fmt.Errorf("private site: %w", err)
	}
	private := rival{"private", public.process, privateDomain, []string{"Cookie: " + cookie}}
	const connections = 32
	heading(fmt.Sprintf("a protected and a public page, %d at once", connections), "1/s", "public 1/s", "CPU µs",
		"public", "ratio")
	for _, c := range readCases()[:3] {
		var best [2]spent
		for range turns {
			for i, r := range []rival{private, public} {
				got, err := r.read(c, connections, o.length/5)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", c.name, r.name, err)
				}
				best[i].perSecond = max(best[i].perSecond, got.perSecond)
				if best[i].each == 0 || got.each < best[i].each {
					best[i].each = got.each
				}
			}
		}
		fmt.Printf("%-44s %14.0f %14.0f %9.1f %9.1f %9.2f\n", c.name, best[0].perSecond, best[1].perSecond,
			micro(best[0].each), micro(best[1].each), float64(best[0].each)/float64(best[1].each))
	}
	return nil
}

// openPrivateSite publishes the folder as a site with a password, and returns a reader's cookie.
func openPrivateSite(ctx context.Context, base, key, source string) (cookie string, err error) {
	c, err := client.New(base, key)
	if err != nil {
		return "", err
	}
	p, err := c.CreateProject(ctx,
		client.CreateProject{Name: "Private", Domain: privateDomain, Source: client.SourceInput{Path: source}})
	if err == nil && p.LastUpdate == nil {
		err = errors.New("the project has no first update")
	}
	if err == nil {
		_, err = c.WaitUpdate(ctx, p.LastUpdate.StatusID, nil)
	}
	if err == nil {
		_, err = c.SetReaderAccess(ctx, p.ProjectID, client.SetReaderAccess{Mode: "password", Password: privatePassword})
	}
	if err != nil {
		return "", err
	}
	time.Sleep(2 * time.Second) // the server may cache the site as public until then
	form := url.Values{"password": {privatePassword}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+"/login", bytes.NewBufferString(form))
	if err != nil {
		return "", err
	}
	req.Host = privateDomain
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r, err := http.DefaultTransport.RoundTrip(req) // without following the redirect
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Body.Close() }()
	for _, one := range r.Cookies() {
		if strings.HasSuffix(one.Name, "lectern-reader") {
			return one.Name + "=" + one.Value, nil
		}
	}
	return "", fmt.Errorf("sign-in responded %s without a session", r.Status)
}
