// Package signin signs people in: passwords, second factors, an identity provider, invitation links, and the
// sessions that follow.
//
// Inputs: what a person typed or a provider asserted, and requests with a session cookie.
// Outputs: sessions, and their owner: a person and the membership they act with.
// It never renders pages, never decides what a member may do (account and auth do), and never stores or logs a
// token, password or code in plain text.
package signin
