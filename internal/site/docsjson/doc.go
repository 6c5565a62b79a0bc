// Package docsjson reads the site file (docs.json, or the older mint.json), fills in defaults and validates it. It
// is the only package that knows the file's keys.
//
// Inputs: an fs.FS with the site file at its root, and the JSON files it refers to with $ref. Outputs: a Config with
// the navigation as site.Node values, and diagnostics with file, line and column; mint.json converted to docs.json; the
// list of keys and their effects. It never reads pages or follows a $ref outside the root. It never ignores a key
// silently, and does not stop at the first error.
//
// Grammar: JSON; a byte order mark, // and /* */ comments and trailing commas are accepted with a warning.
//
// The steps: parse the file and insert the files it refers to (ref.go); for mint.json, validate it and convert the
// tree to docs.json (legacy*.go); validate the tree against the table of docs.json and remove invalid values
// (table*.go, check.go); store the rest where the table says (set.go, navigation.go).
package docsjson
