// Package endpoint defines receivers of an organization's events: programs, as Standard Webhooks 1.0 says, chats and
// members.
//
// Inputs: the address and event types that an organization chose, and events of its audit log.
// Outputs: which events an endpoint gets, the signed message, the same in words, and when a delivery that failed is
// tried again.
// It sends nothing itself. It is about webhooks that leave the server; those of code hosts, which arrive, are in
// serve/webhook.
package endpoint
