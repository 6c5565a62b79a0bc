// Package adminapi implements the admin API: the routes of api/openapi.yaml, each with its handler.
//
// Inputs: HTTP requests; everything else (store, blobs, clock, keys, limits) is passed to New.
// Outputs: the responses described in api/openapi.yaml, and nothing else.
// It never contains SQL, the rules of a domain type, or the work itself: it validates, stores and queues in one
// transaction, and responds.
//
// routes.go lists every route; request.go has the order in which a request is checked; one file per resource has its
// handlers and its JSON.
package adminapi
