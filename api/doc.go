// Package api provides the description of the admin API.
//
// The YAML file is the source. Tests check routes, responses and the Go client against it.
//
// Inputs: openapi.yaml, embedded at build time.
// Outputs: its bytes as YAML, and as JSON with the keys in the file's order.
// It never calls a handler or checks a request.
package api
