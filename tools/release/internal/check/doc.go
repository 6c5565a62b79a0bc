// Package check proves that a release is whole, agrees with itself, and was signed with the private key.
//
// Inputs: a release's folder, and the public key, or the word that none is expected.
// Outputs: nil, or everything that is wrong.
// Never: the network; a file of the release run; trust in one file of the release for another but by digest.
package check
