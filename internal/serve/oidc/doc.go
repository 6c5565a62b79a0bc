// Package oidc asks an identity provider who somebody is: the relying party of OpenID Connect, authorization code flow with PKCE.
//
// The caller makes state, nonce and verifier at random, keeps them with the browser that begins, compares the state when it comes back, and hands the
// other two to Finish. What the provider says is believed only if its ID token is signed with a key of the provider's, for this client, now, and for
// this nonce.
//
// In: the operator's settings of one provider; a code that a browser brought.
// Out: an address to send a browser to; an Identity; faults that a person understands, with causes for the log.
// Never: a start of the server that waits for the provider; an answer without a bound; a redirect to another place; a token, code or secret in an
// error; a decision what somebody may do.
package oidc
