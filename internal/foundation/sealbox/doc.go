// Package sealbox encrypts small values with keys that are derived from the server's master key.
//
// Inputs: the master keys, a purpose, and the owner of the value. Outputs: a text that can be decrypted only with
// the same master key, purpose and owner. It must never log, store or return a key.
package sealbox
