// Package notify sends the mails that are queued, and raises alerts for organizations.
//
// Inputs: tasks of mails, the server's public address, and rules that look for what is wrong.
// Outputs: messages for the mail server; mails that ended; an event, and a mail to each owner, when a rule begins to apply, and an
// event when it no longer does.
// It never builds a link from a request: links begin with the configured address.
package notify
