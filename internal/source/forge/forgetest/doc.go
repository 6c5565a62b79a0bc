// Package forgetest is the conformance suite of the code host drivers, with fakes of the hosts that cannot run here.
// The fakes are strict: a method, path, header, query or field that the host does not document fails the test.
//
// Inputs: a Rig, which is a code host with one repository and functions that act on it like people. Outputs: test
// failures. Only tests import it. It has no fakes of hosts that tests can start for real.
package forgetest
