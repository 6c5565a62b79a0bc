// Package endpoint defines receivers of an organization's events: programs, following Standard Webhooks 1.0, chats
// and members.
//
// Inputs: the address and event types that an organization chose, and events of its audit log. Outputs: which events an
// endpoint gets, the signed message, the text that describes an event, and when a failed delivery is retried. It sends
// nothing itself. It is about webhooks that the server sends; webhooks from code hosts are in serve/webhook.
package endpoint
