// Package notify sends queued emails and raises alerts for organizations.
//
// Inputs: mail tasks, the server's public address, and rules that detect problems. Outputs: messages for the mail
// server; completed emails; an event and an email to each owner when a problem appears, and an event when it ends. It
// never builds a link from a request: links start with the configured address.
package notify
