// Package notify sends the mails that are queued, and queues alerts for the owners of organizations.
//
// Inputs: tasks of mails, the server's public address, and rules that look for what is wrong.
// Outputs: messages for the mail server; mails that ended; a mail to each owner when a rule begins to apply.
// It never builds a link from a request: links begin with the configured address.
package notify
