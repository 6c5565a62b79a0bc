// Package filewatch reports when files below a folder change.
//
// Inputs: a folder on this machine. Outputs: lists of changed files, as slash-separated paths relative to that folder;
// nil when anything may have changed. It never reads file contents, follows links, or watches hidden folders and
// node_modules.
package filewatch
