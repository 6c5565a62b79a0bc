// Package dns is a name server for tests, on the loopback interface.
//
// Inputs: a function from names to addresses, called for every query, and values of TXT records. Outputs: a
// resolver that queries only this server. Its responses are never cached: each has a time to live of 0 s.
package dns
