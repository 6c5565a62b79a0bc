// Package apierror turns errors into HTTP responses: the API's one error format, and the request id that appears in
// responses, logs and audit records.
//
// Inputs: an error, usually a fault, and its request. Outputs: a status, headers and {"error", "code", "requestId",
// "hint"?, "details"?}. It never puts a cause, a path or a stack trace into a body; it logs an unexpected error once,
// with the request's id.
package apierror
