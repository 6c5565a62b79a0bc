package client

// What an organization's claim on a domain is worth. A pending domain serves nothing until it is proven; a held one has
// the project's site; a reserved one has no project.
const (
	DomainPending  = "pending"
	DomainHeld     = "held"
	DomainReserved = "reserved"
)
