// Package notify sends queued emails and raises alerts for organizations.
//
// Inputs: mail tasks, the server's public address, and rules that detect problems. Outputs: messages for the mail
// server; finished emails; an event and an email to each owner when a problem appears, and an event when it has ended.
// It never builds a link from a request: links start with the configured address.
package notify
