// Package docsjson reads the site file (docs.json, or the older mint.json), fills defaults and checks it. It is the only room
// that knows the file's keys.
//
// In: an fs.FS with the site file at its root, and the JSON files it names by $ref.
// Out: a Config with the navigation as site.Node values, and diagnostics with file, line and column.
// Never: looks at pages, follows a $ref outside the root, or gives up at the first mistake.
//
// Grammar: JSON; a byte order mark, // and /* */ comments and trailing commas are accepted with a warning.
package docsjson
