// Package outbound makes all connections from the server to addresses that authors or API callers choose.
//
// Inputs: the operator's list of trusted hosts, and the requested address.
// Outputs: connections, an HTTP client and a local forward proxy that reach only public addresses and trusted hosts.
// It never decides by the host name alone (it checks the address it connects to), never reads a body or header or waits
// without a limit, and never sends a credential to another origin.
package outbound
