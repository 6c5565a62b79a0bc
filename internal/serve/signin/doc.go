// Package signin is the way people come in: passwords, second factors, an identity provider, links of invitation, and the sessions that
// follow.
//
// In: what a person typed or a provider vouched for, and requests with a session's cookie.
// Out: sessions, and who is behind one: a person and the membership they act by.
// Never: pages; what a member may do is for account and auth to say; a token, password or code is never stored or logged as it is.
package signin
