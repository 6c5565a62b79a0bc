// Package apierror turns errors into HTTP answers: the one error shape of the API, and the id that names a request in
// answers, logs and audit records.
//
// In: an error, usually a fault, and the request it happened in.
// Out: a status, headers and {"error", "code", "requestId", "hint"?, "details"?}.
// Never: a cause, a path or a stack in a body; what is unexpected goes to the log, once, under the request's id.
package apierror
