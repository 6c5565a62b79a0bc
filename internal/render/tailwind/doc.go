// Package tailwind converts utility class names, such as "grid gap-4 md:grid-cols-2 dark:hidden", to CSS.
//
// Authors know the names from Tailwind CSS 3 and expect them to have the same meaning. No Go library generates that
// CSS, and Node is not available at run time, so the vocabulary is written by hand as tables (table_*.go) in a small
// notation (table.go). A page gets exactly the rules that it uses.
//
// Inputs: class names, from attributes or from the source of client components; the site's colours. Outputs: one style
// sheet in the cascade layer "utilities". The same set of names always results in the same sheet. The sheet never
// contains unchecked values and never loads anything (url() is refused). Generating it never fails; an unknown name
// results in no rule.
package tailwind
