// Package wire carries a request to a model's server and its answer back.
//
// In: the server's address and key, and a request in the server's own words.
// Out: the answer's events one by one, or the answer whole; faults that are the same for every server, after waiting and trying again.
// Never: what the words mean, a redirect (a key goes where the operator sent it), an answer or a silence without an end, the key in an error.
//
// The address is the operator's own setting and may be private: the guard of internal/source/outbound is for addresses that others choose.
package wire
