// Package webhook receives pushes from code hosts and queues the deployments that they trigger; it also receives the
// outcome of agents' pull requests and notes it in their jobs, and comments and labels that ask for an agent.
//
// Inputs: the headers and raw bytes of a request, and the project it is for.
// Outputs: a queued deployment, a note in an agent job, a stored mention, or the reason why there is nothing to do.
// It never trusts a request without a valid signature over its raw bytes, and never processes one delivery twice
// (W5).
package webhook
