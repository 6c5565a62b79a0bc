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
	maxTarget  = 8 << 10   // bytes of an address
	maxOrigins = 512 << 10 // bytes of the file of a site's origins
	maxMethod  = 32
)

// origin is a scheme, a host in lower case without a final dot, and a port that is always written.
type origin struct {
	scheme, place string // place is host:port
}

func (o origin) String() string { return o.scheme + "://" + o.place }

// originOf reads the origin of an address, as lists of origins do; what they cannot name has none here.
func originOf(u *url.URL) (o origin, ok bool) {
	text, ok := capability.Origin(u.String())
	if !ok {
		return o, false
	}
	scheme, place, _ := strings.Cut(text, "://")
	// no port but those inside of an IPv6 address
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

// target reads where a request is to go, and refuses what is no plain address.
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
		return nil, origin{}, bad("The API's address cannot be parsed.") // the cause would quote it
	}
	o, ok := originOf(u)
	if !ok {
		return nil, origin{}, bad(
			"The API's address must start with http:// or https:// and a host, without a user name.")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, o, nil
}

// method reads the method of a request. Those that speak to proxies rather than to APIs are refused.
func method(r *http.Request) (string, error) {
	m := strings.ToUpper(r.Header.Get("Lectern-Method"))
	if m == "" || len(m) > maxMethod || !token(m) || m == http.MethodConnect || m == http.MethodTrace || m == "TRACK" {
		return "", fault.New(fault.Invalid, "bad_method",
			"The header Lectern-Method must be a valid HTTP method for an API.").WithField("Lectern-Method")
	}
	return m, nil
}

// permitted says whether requests of a site may go to an origin: one that its published descriptions name, unless the
// operator keeps to their own list, or one on that list (F5, F6). A site without a playground sends none, wherever they
// would go.
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

// published returns the origins that the descriptions of a site name; plays is false for a site without a playground
// that needs them.
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
