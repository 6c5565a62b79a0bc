// Package rest is the JSON client that the code host drivers share: it sends one request, reads a bounded response, and
// maps errors to the same faults for every host.
//
// Inputs: a host's API address, an HTTP client that checks addresses, a function that authenticates a request.
// Outputs: a decoded response, or a fault (see forge/pull) with the host's own message, sanitized.
// It never names a code host, puts a secret into an error, follows a redirect to another origin, or reads more of a
// response than its limit.
package rest
