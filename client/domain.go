package client

import (
	"context"
	"net/http"
)

// What an organization's claim on a domain is worth. A pending domain serves nothing until it is proven; a held one has the project's site; a reserved one has no project.
const (
	DomainPending  = "pending"
	DomainHeld     = "held"
	DomainReserved = "reserved"
)

// ListDomains lists the organization's domains.
func (c *Client) ListDomains(ctx context.Context, page Page) (*DomainList, error) {
	return get[DomainList](ctx, c, page.query(), "v1", "domains")
}

// VerifyDomain looks for the proof of a pending domain now. An error with the code domain_not_proven says what was found instead.
func (c *Client) VerifyDomain(ctx context.Context, domain string) (*Domain, error) {
	return submit[Domain](ctx, c, http.MethodPost, nil, nil, "v1", "domains", domain, "verify")
}
