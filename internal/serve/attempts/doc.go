// Package attempts limits how often somebody may try a password or a code.
//
// Inputs: what an attempt is counted under, such as a network or an account.
// Outputs: permission to go on, or how long to wait.
// It never stores whom it counts: the database has a digest of the key.
package attempts
