// Package auth tells who calls and what they may do: a bearer key becomes a principal, and the principal is held against
// its rate, its addresses, its scopes and its plan.
//
// In: a request; the stored keys; the server's master keys; the proxies the operator trusts.
// Out: a principal, or the fault that says what is missing.
// Never: remembers a key between requests, so that a revoked one is refused at once (K6); logs or stores a secret.
package auth
