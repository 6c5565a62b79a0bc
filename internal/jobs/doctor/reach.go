package doctor

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/hostname"
)

// Port checks whether an address is free to listen on.
type Port struct {
	Setting, Address string
	Client           *http.Client
}

// Look listens briefly or, if the address is taken, finds out whether Lectern is listening.
func (p Port) Look(ctx context.Context) []Finding {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", p.Address)
	if err == nil {
		_ = l.Close()
		return []Finding{fine("%s (%s) is free.", p.Address, p.Setting)}
	}
	if !errors.Is(err, syscall.EADDRINUSE) {
		return []Finding{failure("Choose another address with --"+strings.ReplaceAll(p.Setting, ".", "-")+".",
			"Cannot listen on %s (%s): %v.", p.Address, p.Setting, err)}
	}
	if p.isLectern(ctx) {
		return []Finding{fine("A Lectern server listens on %s (%s).", p.Address, p.Setting)}
	}
	return []Finding{failure("Stop it, or choose another address with --"+strings.ReplaceAll(p.Setting, ".", "-")+".",
		"Another program listens on %s (%s).", p.Address, p.Setting)}
}

// isLectern requests pages that only Lectern servers have, on both listeners.
func (p Port) isLectern(ctx context.Context) bool {
	host, port, err := net.SplitHostPort(p.Address)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	for path, mark := range map[string]string{"/openapi.json": `Lectern`, "/metrics": "lectern_build_info"} {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
		if err != nil {
			return false
		}
		res, err := p.Client.Do(req)
		if err != nil {
			continue
		}
		body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20)) // an incomplete body is good enough
		_ = res.Body.Close()
		if strings.Contains(string(body), mark) {
			return true
		}
	}
	return false
}

// Endpoint is a network service named in the settings.
type Endpoint struct {
	Setting, URL string
	Client       *http.Client
}

// Look sends the endpoint a request. Any response counts, even one that rejects an anonymous caller.
func (e Endpoint) Look(ctx context.Context) []Finding {
	u, err := url.Parse(e.URL)
	if err != nil || u.Host == "" {
		return []Finding{failure("Set it to an address such as https://host.example.com.", "%s is not an address.",
			e.Setting)}
	}
	shown := u.Scheme + "://" + u.Host // omits parts that may be secret
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, e.URL, nil)
	if err != nil {
		return []Finding{failure("Set it to an address such as https://host.example.com.", "%s is not an address.", e.Setting)}
	}
	res, err := e.Client.Do(req)
	if err != nil {
		return []Finding{failure(
			"Check the address, DNS and firewalls, and allow-address for hosts that are not public.",
			"%s (%s) cannot be reached: %s.", shown, e.Setting, plain(err))}
	}
	_ = res.Body.Close()
	return []Finding{fine("%s (%s) responds.", shown, e.Setting)}
}

// plain returns an error's message without the URL.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return strings.TrimSuffix(err.Error(), ".")
}

// Addresses checks whether the server's address settings are consistent.
type Addresses struct{ Listen, PublicURL, PreviewDomain string }

// Look compares the settings.
func (a Addresses) Look(_ context.Context) []Finding {
	host, _, _ := net.SplitHostPort(a.Listen) // validated before
	local := hostname.IsLocal(host)
	u, err := url.Parse(a.PublicURL)
	var found []Finding
	switch {
	case a.PublicURL == "" && !local:
		found = append(found, warning("Set public-url to the address that callers use.",
			"Other machines can reach this server, but public-url is not set: links to bundles and webhooks use the address of each request."))
	case a.PublicURL == "":
	case err != nil || u.Scheme == "http" && !hostname.IsLocal(u.Host):
		found = append(found, warning("Put a TLS proxy in front of the server, and set public-url to https.",
			"public-url is plain http: keys and sessions can be intercepted, and signing in over it is refused."))
	}
	previews := hostname.Clean(a.PreviewDomain)
	if !local && hostname.IsLocal(previews) {
		found = append(found,
			warning("Set preview-domain to a domain with a wildcard DNS record that points to this server.",
				"Previews have host names below %s, which point to each reader's own machine.", a.PreviewDomain))
	}
	if err == nil && a.PublicURL != "" && strings.HasSuffix("."+hostname.Clean(u.Host), "."+previews) {
		found = append(found, failure("Give previews a domain of their own.",
			"public-url is below preview-domain: scripts in a preview could impersonate the dashboard."))
	}
	if len(found) == 0 {
		found = append(found, fine("public-url and preview-domain match the listen address."))
	}
	return found
}
