// Package adminapi is the admin API: the routes of api/openapi.yaml, each with its handler.
//
// In: HTTP requests; everything else (store, blobs, clock, keys, limits) is passed to New.
// Out: the answers that api/openapi.yaml describes, and nothing else.
// Never: SQL, the rules of a ledger noun, or how work is done: it checks, stores and queues in one transaction, and answers.
//
// routes.go lists every route; request.go has the order in which a request is checked; one file per resource has its
// handlers and the JSON it shows.
package adminapi
