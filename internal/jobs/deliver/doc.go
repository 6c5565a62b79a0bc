// Package deliver sends events of the audit log to the webhook endpoints of organizations.
//
// Inputs: tasks of deliveries, and a client that reaches only permitted addresses.
// Outputs: signed requests; attempts, ends and pauses of deliveries; endpoints that are turned off.
// It never follows a redirect, never waits or reads without a limit, and never sends an event unsigned.
package deliver
