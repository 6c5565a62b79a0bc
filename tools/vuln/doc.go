// Command vuln fails if a program calls code with a known vulnerability. This prevents a release.
//
// Inputs: the packages of a module, a vulnerability database (the Go project's unless -db specifies another), and the
// policy, a list of vulnerabilities that are accepted for a limited time and with a reason. Outputs: nothing, or an
// error for each vulnerability that is called and not accepted, and for each entry of the policy that has expired or is
// no longer needed. It never changes anything, and ignores vulnerabilities in code that is linked but never called.
package main
