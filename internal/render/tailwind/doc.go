// Package tailwind turns utility class names, such as "grid gap-4 md:grid-cols-2 dark:hidden", into CSS.
//
// Authors know the names from Tailwind CSS 3 and expect its meaning. No Go library generates that CSS, and Node is not there at run time, so
// the vocabulary is written here by hand as tables (table_*.go) in a small notation of ours (table.go). A page gets exactly the rules it uses.
//
// In: class names, from attributes or from the source of client components; the site's colours.
// Out: one style sheet in the cascade layer "utilities", the same for the same set of names.
// Never: writes a value it has not checked; loads anything (url() is refused); fails: a name it does not know gives nothing.
package tailwind
