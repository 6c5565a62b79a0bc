// Package webhook receives pushes from code hosts and queues the deployments that they trigger. It also receives the
// results of agents' pull requests, which it records in their jobs, and comments and labels that request an agent.
//
// Inputs: the headers and raw bytes of a request, and its project. Outputs: a queued deployment, a note in an agent
// job, a stored mention, or the reason why there is nothing to do. It never trusts a request without a valid
// signature over its raw bytes, and never processes a delivery twice (W5).
package webhook
