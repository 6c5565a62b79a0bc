// Package secretrules compares the patterns by which internal/ai/guard recognizes keys with a public set of rules, that
// of gitleaks in the version required by go.mod.
//
// It contains only tests, in a separate module, so that gitleaks does not become part of the program. The rules are
// read from the module and never copied. After an update of that version, the tests list new and changed rules.
package secretrules
