// Package webhook receives pushes from code hosts and queues the publishing they ask for; it also receives what became of agents' pull
// requests and notes that in their jobs.
//
// In: the headers and raw bytes of a call, and the project it is for.
// Out: a queued deployment, a note in an agent job, or the reason why there is nothing to do.
// Never: trusts a call whose signature over its raw bytes does not hold, or acts twice on one delivery (W5).
package webhook
