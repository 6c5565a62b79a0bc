// Package e2e holds the stories of the whole product: the real binary, real databases, object stores, Git and signals.
//
// In: the repository's source, from which the binary is built once.
// Outputs: proof that the documentation's instructions work.
// Never: imports of the rooms under test; stories see what users see (the public client is theirs too).
package e2e
