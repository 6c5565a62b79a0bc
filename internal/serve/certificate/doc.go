// Package certificate provides the TLS certificates for the server's own listener: from files, or from a certificate
// authority through ACME.
//
// Inputs: settings, and whether a host name is served here. Outputs: a TLS configuration, a handler for challenges
// over plain HTTP, and the state of a host's certificate. It never serves a request itself, and never orders a
// certificate for a host that the server does not serve.
//
// certmagic implements the protocol: orders, HTTP-01 and TLS-ALPN-01 challenges, renewals, OCSP. This package stores
// certmagic's data in the database, encrypted, so that several servers share certificates, solve each other's
// challenges, and do not order the same certificate twice. See docs/decisions/0078-own-tls.md.
package certificate
