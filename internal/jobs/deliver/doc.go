// Package deliver sends audit log events to organizations' webhook endpoints: programs, chats and members.
//
// Inputs: delivery tasks, an HTTP client that reaches only permitted addresses, and a mail server. Outputs: signed
// requests and emails; the attempts, results and pauses of deliveries; endpoints that are turned off. It never
// follows a redirect, never waits or reads without a limit, and never sends an unsigned request.
package deliver
