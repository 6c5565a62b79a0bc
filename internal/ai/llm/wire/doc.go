// Package wire sends requests to model servers and reads their responses.
//
// Inputs: the server's address and key, and a request in the server's own format. Outputs: the response's events
// one by one, or the whole response; the same faults for every server, after retries. It does not interpret
// requests or responses. It never follows a redirect (the key is only sent to the operator's server), reads without
// a size or time limit, or puts the key into an error.
//
// The operator sets the address, so it may be private. The guard in internal/source/outbound is for addresses that
// others choose.
package wire
