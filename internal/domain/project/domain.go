package project

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"
)

// DomainState is the state of an organization's claim on a domain.
type DomainState string

// A pending domain serves nothing until control of it is proven. Several organizations can have the same pending
// domain. A held domain belongs to one project. A reserved domain has no project: either it was given up, or it was
// approved before a project claimed it.
const (
	DomainPending  DomainState = "pending"
	DomainHeld     DomainState = "held"
	DomainReserved DomainState = "reserved"
)

// DomainProof is the reason why a domain belongs to its organization.
type DomainProof string

// The reasons for which a domain is held.
const (
	ProofNone     DomainProof = ""         // pending
	ProofDNS      DomainProof = "dns"      // a TXT record had the challenge's value
	ProofFile     DomainProof = "file"     // a file on the host contained it
	ProofOperator DomainProof = "operator" // the operator approved it
	ProofParent   DomainProof = "parent"   // the organization holds a parent domain
	ProofOpen     DomainProof = "open"     // it is below a suffix that is open to all organizations
	ProofOnly     DomainProof = "only"     // the server had only one organization
	ProofEarlier  DomainProof = "earlier"  // stored by a release that required no proof
)

// Domain is an organization's claim on a host name, or on a path below it. An organization that holds a path also holds
// the host: other organizations cannot have any path on it.
type Domain struct {
	Name           string // see CleanDomain; a reserved one has no path
	OrganizationID string
	ProjectID      string // "" if it is reserved
	State          DomainState
	Proof          DomainProof
	Since          time.Time  // when it entered this state
	Until          *time.Time // end of a reservation; nil in other states
}

// DefaultReserve is how long a domain stays reserved for its organization by default.
const DefaultReserve = 30 * 24 * time.Hour

// DomainPolicy says which domains need proof and how long domains stay reserved. The zero value has no open
// suffixes and uses DefaultReserve.
type DomainPolicy struct {
	Open []string // suffixes, in stored form, below which the first organization that asks for a name gets it
	// how long a name stays reserved after its organization gave it up; 0 = DefaultReserve
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

// Parents lists the parent domains whose holder also controls this domain, nearest first. Suffixes below which
// unrelated parties have names are left out: public ones such as co.uk and github.io, and the open ones.
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

// IsRegistered reports whether a domain is directly registrable, such as example.com and example.co.uk, rather than
// a name below such a domain.
func IsRegistered(domain string) bool {
	top, err := publicsuffix.EffectiveTLDPlusOne(domain)
	return err == nil && domain == top
}

// Address returns the domain for which a project's pages are built: the first held domain or, if none is held, the
// first domain. list is in the project's order.
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
