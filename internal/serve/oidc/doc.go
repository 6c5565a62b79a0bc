// Package oidc signs people in with an identity provider: it is an OpenID Connect relying party that uses the
// authorization code flow with PKCE.
//
// The caller generates random state, nonce and verifier, stores them with the browser that starts the sign-in,
// compares the state when the browser returns, and passes the other two to Finish. The provider's claims are trusted
// only if its ID token is signed with one of the provider's keys, for this client and this nonce, and is valid now.
//
// Inputs: the operator's settings for one provider; the code that a browser returned with. Outputs: a URL to send a
// browser to; an Identity; faults with messages for people and causes for the log. It never delays the start of the
// server, reads a response without a size limit, follows a redirect to another origin, puts a token, code or secret
// into an error, or decides what a person may do.
package oidc
