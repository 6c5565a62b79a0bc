package client

// States of an organization's claim on a domain. A pending domain serves nothing until its ownership is proven; a
// held domain serves the project's site; a reserved domain has no project.
const (
	DomainPending  = "pending"
	DomainHeld     = "held"
	DomainReserved = "reserved"
)
