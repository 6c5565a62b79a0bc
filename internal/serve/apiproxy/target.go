package apiproxy

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

const (
	maxTarget  = 8 << 10   // bytes of a URL
	maxOrigins = 512 << 10 // bytes of the file listing a site's origins
	maxMethod  = 32
)

// origin consists of a scheme, a lower-case host without a trailing dot, and an explicit port.
type origin struct {
	scheme, place string // place is host:port
}

func (o origin) String() string { return o.scheme + "://" + o.place }

// originOf returns the origin of a URL, following the same rules as lists of origins. ok is false for URLs that such a
// list cannot contain.
func originOf(u *url.URL) (o origin, ok bool) {
	text, ok := capability.Origin(u.String())
	if !ok {
		return o, false
	}
	scheme, place, _ := strings.Cut(text, "://")
	// The only colons are those in an IPv6 address.
	if strings.LastIndexByte(place, ':') <= strings.LastIndexByte(place, ']') {
		place += map[string]string{"http": ":80", "https": ":443"}[scheme]
	}
	return origin{scheme, strings.Replace(place, ".:", ":", 1)}, true
}

func parseOrigin(text string) (origin, error) {
	u, err := url.Parse(text)
	if err != nil {
		return origin{}, fmt.Errorf("parse origin: %w", err)
	}
	o, ok := originOf(u)
	if !ok {
		return origin{}, fmt.Errorf("parse origin: %q is not an origin", text)
	}
	return o, nil
}

// target parses the destination of a request and rejects anything but a plain URL.
func target(r *http.Request) (*url.URL, origin, error) {
	bad := func(why string) *fault.Error {
		return fault.New(fault.Invalid, "bad_target", why).WithField("Lectern-Target")
	}
	values := r.Header.Values("Lectern-Target")
	if len(values) != 1 || len(values[0]) > maxTarget {
		return nil, origin{}, bad("The header Lectern-Target must contain one absolute address.")
	}
	u, err := url.Parse(values[0])
	if err != nil {
		return nil, origin{}, bad("The API's address cannot be parsed.") // the cause would quote the URL
	}
	o, ok := originOf(u)
	if !ok {
		return nil, origin{}, bad(
			"The API's address must start with http:// or https:// and a host, without a user name.")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, o, nil
}

// method parses the method of a request. It rejects methods meant for proxies rather than APIs.
func method(r *http.Request) (string, error) {
	m := strings.ToUpper(r.Header.Get("Lectern-Method"))
	if m == "" || len(m) > maxMethod || !token(m) || m == http.MethodConnect || m == http.MethodTrace || m == "TRACK" {
		return "", fault.New(fault.Invalid, "bad_method",
			"The header Lectern-Method must be a valid HTTP method for an API.").WithField("Lectern-Method")
	}
	return m, nil
}

// permitted checks whether a site's requests may go to an origin (F5, F6). The origin must be on the operator's list
// or, unless the operator allows only that list, in the site's published descriptions. A site without a playground may
// not send any requests.
func (d *Proxy) permitted(ctx context.Context, s siteapi.Site, o origin) error {
	listed, plays, err := published(ctx, s)
	switch {
	case err != nil:
		return err
	case !plays:
		return fault.New(fault.Invalid, "origin_not_allowed", "The playground proxy is not used on this site.")
	case d.origins[o.String()]:
		return nil
	case d.opt.Closed:
		return fault.New(fault.Invalid, "origin_not_allowed",
			"The server's operator does not allow the playground to call that origin.")
	}
	for _, text := range listed {
		if p, err := parseOrigin(text); err == nil && p == o {
			return nil
		}
	}
	return fault.New(fault.Invalid, "origin_not_allowed", "The API descriptions of this site do not list that origin.")
}

// published returns the origins in a site's descriptions. plays is false if the site has no playground that uses the
// proxy.
func published(ctx context.Context, s siteapi.Site) (list []string, plays bool, err error) {
	raw, err := s.Library.File(ctx, capability.OriginsFile, maxOrigins)
	if fault.Is(err, fault.NotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("read origins: %w", err)
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, false, fmt.Errorf("read origins: %w", err)
	}
	return list, true, nil
}
