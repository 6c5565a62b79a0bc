// Package signin signs people in: passwords, second factors, an identity provider, invitation links, and sessions.
//
// Inputs: what a person typed or a provider asserted, and requests with a session cookie. Outputs: sessions and their
// owners: a person and the membership with which they act. It never renders pages, never decides what a member may do
// (account and auth do), and never stores or logs a token, password or code in plain text.
package signin
