// Package forgetest is the conformance suite of the code host drivers, with fakes of the hosts that cannot run here. The fakes are strict:
// a method, path, header, query or field that the host does not document fails the test.
//
// In: a rig, which is a code host with one repository and the means to act there as people do.
// Out: failed tests.
// Never: imported by anything but tests; a fake for a host that can be started.
package forgetest
