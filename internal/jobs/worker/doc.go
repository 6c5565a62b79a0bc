// Package worker takes one task at a time, keeps its lease alive, and sees that it ends: done, failed with a reason,
// given back, or left for another worker.
//
// In: a wake-up from the queue; one handler for each kind of task.
// Out: every task reaches its end although workers die, freeze, are stopped or meet errors they did not expect.
// Never: what a handler does; pages, bundles and sources are unknown here.
package worker
