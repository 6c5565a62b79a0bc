package client

import (
	"context"
	"net/http"
	"time"
)

// DomainState says what an organization's claim on a domain is worth.
type DomainState string

// A pending domain serves nothing until it is proven; a held one has the project's site; a reserved one has no project.
const (
	DomainPending  DomainState = "pending"
	DomainHeld     DomainState = "held"
	DomainReserved DomainState = "reserved"
)

// Domain is a host name that an organization holds, claims or has reserved.
type Domain struct {
	Domain        string           `json:"domain"`
	State         DomainState      `json:"state"`
	ProjectID     *string          `json:"projectId"`     // nil when it is reserved
	Proof         *string          `json:"proof"`         // why it belongs to the organization; nil while it is pending
	ProvenAt      *time.Time       `json:"provenAt"`      // nil when it is not held, or an earlier release stored it
	ReservedUntil *time.Time       `json:"reservedUntil"` // nil unless it is reserved
	Challenge     *DomainChallenge `json:"challenge"`     // nil unless it is pending
}

// DomainChallenge is what to do to prove a domain: add the DNS record, or show the file.
type DomainChallenge struct {
	DNS  DNSRecord     `json:"dns"`
	File ChallengeFile `json:"file"`
}

// DNSRecord is a record to add.
type DNSRecord struct {
	Name  string `json:"name"`
	Type  string `json:"type"` // TXT
	Value string `json:"value"`
}

// ChallengeFile is a file to show on the host as it is now.
type ChallengeFile struct {
	URL     string `json:"url"`
	Content string `json:"content"` // a line that the file must have
}

// DomainList is one page of domains, newest first.
type DomainList struct {
	Domains    []Domain `json:"domains"`
	NextCursor *string  `json:"nextCursor"` // nil on the last page
}

// ListDomains lists the organization's domains.
func (c *Client) ListDomains(ctx context.Context, page Page) (*DomainList, error) {
	return get[DomainList](ctx, c, page.query(), "v1", "domains")
}

// VerifyDomain looks for the proof of a pending domain now. An error with the code domain_not_proven says what was found instead.
func (c *Client) VerifyDomain(ctx context.Context, domain string) (*Domain, error) {
	return submit[Domain](ctx, c, http.MethodPost, nil, nil, "v1", "domains", domain, "verify")
}
