// Package attest records the origin of released files and signs that record.
//
// Inputs: released files, how they were built, and an Ed25519 private key if there is one. Outputs: SHA256SUMS, an
// in-toto statement with SLSA provenance, its DSSE envelope, signatures; or an error if one of these is invalid.
// Never: uses the current time, or a key from anywhere but the caller.
package attest
