// Command licences lists the Go modules and npm packages in the lectern binary with their licences, and rejects those
// we may not ship.
//
// Inputs: the module's own import graph, the list of npm packages that tools/packweb embedded, and the licence files
// of both. Outputs: THIRD_PARTY.md, or an error that names the module or package whose licence is unknown or not
// allowed. Never: lists modules and packages needed only by tests or tools.
package main
