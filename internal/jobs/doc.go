// Package jobs documents the layer of background work: what a worker does with a task that a request stored, and what
// the server does regularly by itself.
//
// A package belongs here if it changes the state of a job while it works. It knows no HTTP request.
package jobs
