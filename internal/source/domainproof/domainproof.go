// Package domainproof checks whether a domain publishes an organization's challenge, and where it points.
//
// Inputs: a domain and its challenges, or the server's own host. Outputs: how the domain was proven, or a fault that
// says what was found instead; where the domain points, and the DNS records that point it to the server. It never
// follows a redirect, and never reads more of a file than a challenge needs.
package domainproof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/outbound"
)

const (
	maxFile  = 4 << 10 // bytes; a challenge has 51
	maxTime  = 10 * time.Second
	maxTotal = 20 * time.Second // for a complete check
)

// Checker looks for challenges in DNS and on hosts.
type Checker struct {
	guard  *outbound.Guard
	client *http.Client
	port   string // port for http; "" = the default
}

// New returns a checker whose lookups and requests go through the guard.
func New(guard *outbound.Guard) *Checker {
	return &Checker{guard: guard, client: guard.Client(outbound.Limits{Bytes: maxFile, Time: maxTime, Redirects: -1})}
}

// Check looks for one of the challenges, first in the TXT record, then in the file. A domain has several challenges
// only while the server's master key is being replaced; the first one is shown to people.
func (c *Checker) Check(ctx context.Context, domain string, challenges []project.Challenge) (project.DomainProof,
	error) {
	ctx, cancel := context.WithTimeout(ctx, maxTotal)
	defer cancel()
	record := c.record(ctx, challenges)
	if record == "" {
		return project.ProofDNS, nil
	}
	file := c.file(ctx, domain, challenges)
	if file == "" {
		return project.ProofFile, nil
	}
	return project.ProofNone, fault.Newf(fault.Conflict, "domain_not_proven",
		"The challenge of this organization was not found on the domain %s.", domain).
		WithField("domain").WithHint("DNS: " + record + " File: " + file +
		" A new DNS record can take a few minutes to become visible.")
}

// record returns "" if a TXT record contains a challenge, or else a sentence about what was found.
func (c *Checker) record(ctx context.Context, challenges []project.Challenge) string {
	name := challenges[0].Record
	found, err := c.guard.LookupTXT(ctx, name)
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound, err == nil && len(found) == 0:
		return "there is no TXT record at " + name + "."
	case fault.HasCode(err, "address_not_allowed"):
		return "this server may not look up this domain."
	case err != nil:
		return "the TXT record at " + name + " could not be looked up."
	}
	for _, one := range challenges {
		if slices.ContainsFunc(found, func(s string) bool { return strings.TrimSpace(s) == one.Value }) {
			return ""
		}
	}
	return fmt.Sprintf("none of the %d TXT records at %s has the expected value.", len(found), name)
}

// file returns "" if a file on the host contains a challenge, or else a sentence about what was found.
func (c *Checker) file(ctx context.Context, domain string, challenges []project.Challenge) string {
	said := ""
	for _, one := range challenges {
		for _, origin := range []string{"https://" + domain, "http://" + domain + c.port} {
			said = c.fetch(ctx, origin+one.Path, one.Value)
			if said == "" {
				return ""
			}
		}
	}
	return said
}

// fetch requests one address. It does not follow redirects, even on the same host, because their target is often
// user-controlled.
func (c *Checker) fetch(ctx context.Context, url, value string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "the address is not valid."
	}
	res, err := c.client.Do(req)
	switch {
	case fault.HasCode(err, "address_not_allowed"):
		return "this server may not connect to the host's address."
	case err != nil:
		return "the host could not be reached."
	}
	defer func() { _ = res.Body.Close() }() // read as far as needed
	if res.StatusCode != http.StatusOK {
		return fmt.Sprintf("the host returned status %d.", res.StatusCode)
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return "the file could not be read completely, or is too large."
	}
	for line := range strings.Lines(string(data)) {
		if strings.TrimSpace(line) == value {
			return ""
		}
	}
	return "the file does not contain the value on a separate line."
}
