// Package api holds the description of the admin API and hands it out.
//
// The YAML file is the source: routes, answers and the Go client are checked against it by tests.
//
// Inputs: openapi.yaml, embedded at build time.
// Outputs: its bytes as YAML, and as JSON with the keys in the file's order.
// Never: knows a handler, or checks a request.
package api
