// Package e2e tests the whole program: the real binary with real databases, object stores, Git and signals.
//
// Inputs: the repository's source, from which the binary is built once.
// Outputs: proof that the documentation's instructions work.
// It never imports the packages under test: its tests see only what users see, including through the public client.
package e2e
