// Package auth identifies callers and decides what they may do: it turns a bearer key into a principal, and checks
// the principal's rate limit, addresses, scopes and plan.
//
// Inputs: a request; the stored keys; the server's master keys; the proxies trusted by the operator. Outputs: a
// principal, or a fault that names what is missing. It never caches a key between requests, so that a revoked key
// stops working immediately (K6), and never logs or stores a secret.
package auth
