// Package shell provides what every page of the dashboard shares: identifying the visitor, calling the admin API, the
// page layout, forms and their errors, formatting of times and sizes, live updates, and the front end's files.
//
// Inputs: routes with their handlers and templates, from the packages that have pages. Outputs: a handler that
// identifies the caller, protects forms, and renders pages and errors in one layout. It does not know the content of
// pages.
package shell
