// Package pebble starts a real certificate authority that speaks ACME (Pebble, the one that Let's Encrypt tests with).
//
// Inputs: the program in the cache folder (tools/install-testservers builds it), a DNS server, and the ports where the
// tested program answers challenges.
// Outputs: the address of its directory, the root certificate of its API, and those that its certificates end in.
// Only tests import it.
package pebble
