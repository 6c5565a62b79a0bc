// Package doctor checks whether a server can run with its settings, and the health of a running server.
//
// Inputs: a data folder, an open database, a blob store and addresses, each of them optional. Outputs: findings,
// which say what was checked, whether it is healthy, and what to do if not. It changes nothing except for a test
// object that it stores and removes again, never prints a secret, and does not stop at the first problem.
package doctor
