// Package credential parses, validates and encrypts the credentials for repositories on code hosts.
//
// Inputs: a credential as an administrator enters it for an organization, or a stored row.
// Outputs: a credential that is bound to a host or repository; its encrypted form.
// It never puts a secret into an error, a log line or a text form.
package credential
