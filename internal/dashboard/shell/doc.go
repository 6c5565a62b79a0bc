// Package shell is what surrounds every page of the dashboard: who visits, the way to the admin API, the frame, forms and their errors, words
// for times and sizes, live pages, and the files of the front end.
//
// In: routes with their handlers and templates, from the rooms that have pages.
// Out: a handler that finds out who asks, guards forms, and shows pages and errors in one look.
// Never: knows what a page is about.
package shell
