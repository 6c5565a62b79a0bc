// Package eventcount counts what readers do: it adds events up in memory and stores the sums about once a second.
//
// In: events from every door of this process.
// Out: counts in the store; numbers that stand for visitors during one day.
// Never: waits for the database while an event is told, holds more than a bounded number of things, or keeps an event itself.
package eventcount
