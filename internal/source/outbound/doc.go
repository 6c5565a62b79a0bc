// Package outbound is the one way out of the server for addresses that authors or API callers choose.
//
// In: the operator's list of trusted hosts, and the address somebody asked for.
// Out: connections, an HTTP client and a local forward proxy that reach public addresses and trusted hosts only.
// Never: a decision on the spelling of a host alone (the address connected to is what counts), a body, header or
// wait without a limit, or a credential carried to another origin.
package outbound
