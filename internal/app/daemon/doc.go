// Package daemon wires the running platform together, starts its parts in order and stops them in reverse order.
//
// Inputs: the settings, a clock, a source of randomness. Outputs: a server or a worker that runs until its context
// ends and then shuts down gracefully. It has no domain rules; it only connects packages. No other package knows the
// order of start and stop.
package daemon
