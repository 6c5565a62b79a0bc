// Command licences lists the modules that end up in the lectern binary, with their licences, and refuses those we may
// not ship.
//
// In: the module's own import graph and the licence files of the modules in it.
// Out: THIRD_PARTY.md, or an error that names the module whose licence is unknown or not allowed.
// Never: modules that only tests or tools need.
package main
