// Package daemon builds the running platform by hand, starts its parts in order and stops them in the reverse one.
//
// In: the settings, a clock, a source of randomness.
// Out: a server or a worker that runs until its context ends, and then leaves nothing half done.
// Never: rules; it only connects rooms. Start and stop order is known here and nowhere else.
package daemon
