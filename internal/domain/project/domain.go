package project

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// DomainState says what an organization's claim on a domain is worth.
type DomainState string

// A pending domain serves nothing until it is proven; any number of organizations can have it pending. A held one
// belongs to one project. A reserved one has no project: it was given up, or approved before a project asked for it.
const (
	DomainPending  DomainState = "pending"
	DomainHeld     DomainState = "held"
	DomainReserved DomainState = "reserved"
)

// DomainProof says why a domain belongs to its organization.
type DomainProof string

// The reasons for which a domain is held.
const (
	ProofNone     DomainProof = ""         // it is pending
	ProofDNS      DomainProof = "dns"      // a TXT record had the challenge's value
	ProofFile     DomainProof = "file"     // a file on the host had it
	ProofOperator DomainProof = "operator" // the operator approved it
	ProofParent   DomainProof = "parent"   // the organization holds a domain above it
	ProofOpen     DomainProof = "open"     // it is below a suffix that is open to everybody
	ProofOnly     DomainProof = "only"     // the server had one organization
	ProofEarlier  DomainProof = "earlier"  // it was stored by a release that asked for no proof
)

// Domain is one organization's claim on a host name, or on a path below it. Who holds any path of a host holds the host:
// other organizations can have none of it.
type Domain struct {
	Name           string // see CleanDomain; a reserved one has no path
	OrganizationID string
	ProjectID      string // "" when it is reserved
	State          DomainState
	Proof          DomainProof
	Since          time.Time  // when it got into this state
	Until          *time.Time // end of a reservation; nil in other states
}

// DefaultReserve is how long a domain stays reserved for its organization by default.
const DefaultReserve = 30 * 24 * time.Hour

// DomainPolicy says which domains need a proof and how long they stay reserved. The zero value has no open suffix and
// DefaultReserve.
type DomainPolicy struct {
	Open []string // suffixes, in stored form, below which names go to the organization that asks first
	// how long a name stays with its organization after the organization gave it up; 0 = DefaultReserve
	Reserve time.Duration
}

// ReserveFor returns how long names stay reserved.
func (p DomainPolicy) ReserveFor() time.Duration {
	if p.Reserve == 0 {
		return DefaultReserve
	}
	return p.Reserve
}

// IsOpen reports whether a domain is below an open suffix. The suffix itself is not.
func (p DomainPolicy) IsOpen(domain string) bool {
	return slices.ContainsFunc(p.Open, func(suffix string) bool { return strings.HasSuffix(domain, "."+suffix) })
}

// Parents lists the domains above this one whose holder also has a say about this one, the nearest first. Suffixes
// under which unrelated parties have names reserve nothing: public ones such as co.uk and github.io, and the open ones.
func (p DomainPolicy) Parents(domain string) []string {
	var out []string
	for {
		suffix, _ := publicsuffix.PublicSuffix(domain)
		_, parent, _ := strings.Cut(domain, ".")
		if domain == suffix || parent == suffix || parent == "" || slices.Contains(p.Open, parent) {
			return out
		}
		out, domain = append(out, parent), parent
	}
}

// IsRegistered reports whether a domain is one that people register, such as example.com and example.co.uk, and not a
// name below it.
func IsRegistered(domain string) bool {
	top, err := publicsuffix.EffectiveTLDPlusOne(domain)
	return err == nil && domain == top
}

// Address returns the domain that a project's pages are built for: its first one that is held or, while none is, its
// first. list is in the project's order.
func Address(list []Domain) string {
	for _, d := range list {
		if d.State == DomainHeld {
			return d.Name
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].Name
}
