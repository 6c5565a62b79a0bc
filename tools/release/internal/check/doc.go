// Package check verifies that a release is complete, consistent and signed with the expected key.
//
// Inputs: a release's folder, and the public key or an option that no signature is expected. Outputs: nil, or all
// errors.
// Never: uses the network, executes a released file, or trusts one file because of another except by digest.
package check
