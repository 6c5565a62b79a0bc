// Package dns is a name server for tests, on the loopback interface.
//
// In: a function from names to addresses, asked anew for each question, and texts of TXT records.
// Out: a resolver that asks it and nobody else.
// Never: an answer that may be kept; each has a time to live of 0 s.
package dns
