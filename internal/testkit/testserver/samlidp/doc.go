// Package samlidp runs a SAML 2.0 identity provider, made with a library of Node that is independent of ours.
//
// Inputs: the addresses of the service providers that it knows.
// Outputs: its address.
// Only tests import it. The library is one of the judges: make validators installs it.
package samlidp
