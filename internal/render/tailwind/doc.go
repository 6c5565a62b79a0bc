// Package tailwind converts utility class names, such as "grid gap-4 md:grid-cols-2 dark:hidden", to CSS.
//
// Authors know the names from Tailwind CSS 3 and expect the same meaning. No Go library generates that CSS, and
// Node is not available at run time, so the vocabulary is written by hand as tables (table_*.go) in a small
// notation (table.go). A page gets exactly the rules it uses.
//
// Inputs: class names, from attributes or from the source of client components; the site's colours. Outputs: one
// style sheet in the cascade layer "utilities", the same for the same set of names. It never writes a value that it
// has not checked, loads anything (url() is refused), or fails (an unknown name results in no rule).
package tailwind
