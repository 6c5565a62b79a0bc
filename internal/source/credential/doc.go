// Package credential reads, checks and encrypts what opens repositories on code hosts.
//
// Inputs: what an administrator gives for an organization, or a stored row.
// Outputs: a credential that is bound to a host or repository; its sealed form.
// It must never put a secret into an error, a log line or a text form.
package credential
