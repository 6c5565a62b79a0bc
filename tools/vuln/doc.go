// Command vuln refuses to release a program that calls code with a known vulnerability.
//
// Inputs: the packages of a module, a vulnerability database (the one of the Go project unless -db names another), and the
// policy, a list of vulnerabilities that somebody accepted for a time and with a reason. Outputs: nothing, or an error for
// each vulnerability that is called and not accepted, and for each entry of the policy that has expired or is not
// needed any more. Never: a change of anything; a vulnerability in code that is linked but never called.
package main
