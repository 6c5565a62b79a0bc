// Package docsjson reads the site file (docs.json, or the older mint.json), fills defaults and checks it. It is the only room
// that knows the file's keys.
//
// In: an fs.FS with the site file at its root, and the JSON files it names by $ref.
// Out: a Config with the navigation as site.Node values, and diagnostics with file, line and column; mint.json written as docs.json; the
// list of keys with what becomes of each.
// Never: looks at pages, follows a $ref outside the root, drops a key without a word, or gives up at the first mistake.
//
// Grammar: JSON; a byte order mark, // and /* */ comments and trailing commas are accepted with a warning.
//
// The way of a file: parse and put parts in (ref.go); for mint.json hold against its table and turn the tree into one of docs.json
// (legacy*.go); hold against the table of docs.json, which takes out what is wrong (table*.go, check.go); read the rest (decode.go …).
package docsjson
