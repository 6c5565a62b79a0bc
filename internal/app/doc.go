// Package app documents the layer of the program itself: settings, commands, logs and metrics, and the order in
// which parts start and stop. Start reading in daemon (what runs) or cli (what a command does).
//
// It is the highest layer: packages here may import any other, and only cmd/lectern imports them.
package app
