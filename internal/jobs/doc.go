// Package jobs documents the layer of background work: how a worker processes a task stored by a request, and the
// work that the server does regularly.
//
// A package belongs here if it changes the state of a job while the job runs. It does not handle HTTP requests.
package jobs
