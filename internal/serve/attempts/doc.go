// Package attempts limits how often someone may try a password or a code.
//
// Inputs: the key of a counter, such as a network or an account. Outputs: permission to continue, or how long to
// wait. It never stores the key itself: the database has only a digest.
package attempts
