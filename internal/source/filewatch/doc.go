// Package filewatch tells when files below a folder change.
//
// In: a folder of the machine.
// Out: lists of changed files, as paths from that folder with slashes; nil when anything may have changed.
// Never: reads what the files say, follows links, or looks into hidden folders and node_modules.
package filewatch
