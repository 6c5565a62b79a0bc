// Command licences lists the Go modules and npm packages that end up in the lectern binary, with their licences, and
// refuses those we may not ship.
//
// Inputs: the module's own import graph, the list of npm packages that tools/packweb embedded, and the licence files of
// both. Outputs: THIRD_PARTY.md, or an error that names the module or package whose licence is unknown or not allowed.
// Never: modules and packages that only tests or tools need.
package main
