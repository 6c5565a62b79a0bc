// Package pebble starts a real certificate authority that implements ACME: Pebble, the test server of Let's Encrypt.
//
// Inputs: the program in the cache folder (tools/install-testservers builds it), a DNS server, and the ports where
// the tested program answers challenges. Outputs: the address of its directory, the root certificate of its API,
// and the root certificates of the chains that it issues. Only tests import it.
package pebble
