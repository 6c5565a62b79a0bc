// Package worker leases tasks, renews their leases, and makes sure that every task ends: done, failed with a reason,
// requeued, or left to another worker.
//
// Inputs: a wake-up from the queue; one handler for each kind of task. Outputs: every task ends, even if workers
// crash, freeze, are stopped or hit unexpected errors. It knows nothing about the work of its handlers: pages,
// bundles or sources.
package worker
