// Package deliver sends events of the audit log to the webhook endpoints of organizations: programs, chats and members.
//
// Inputs: tasks of deliveries, a client that reaches only permitted addresses, and a mail server.
// Outputs: signed requests and mails; attempts, ends and pauses of deliveries; endpoints that are turned off.
// It never follows a redirect, never waits or reads without a limit, and never sends a request unsigned.
package deliver
