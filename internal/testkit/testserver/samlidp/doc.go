// Package samlidp runs a SAML 2.0 identity provider based on a Node library that is independent of ours.
//
// Inputs: the addresses of the service providers to accept. Outputs: its address. Only tests import it. The library is
// one of the third-party validators that `make validators` installs (package judges).
package samlidp
