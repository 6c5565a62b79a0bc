// Package rest is the small JSON client that the code host drivers share: one request, one bounded answer, one set of faults.
//
// In: a host's API address, an HTTP client that checks addresses, a way to prove who asks.
// Out: a decoded answer, or a fault of the family (see forge/pull) with the host's own sentence, cleaned.
// Never: the name of a code host, a secret in an error, a redirect to another origin, more of an answer than fits its bound.
package rest
