// Package eventcount counts reader events: it adds them up in memory and stores the sums about once a second.
//
// Inputs: events from every endpoint of this process. Outputs: counts in the store; numbers that identify visitors
// during one day only. It never waits for the database while it receives an event, holds more than a bounded number
// of entries, or stores an event itself.
package eventcount
