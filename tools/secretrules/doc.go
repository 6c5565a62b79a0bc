// Package secretrules compares the formats by which internal/ai/guard recognises keys with a public set of rules:
// those of gitleaks, in the version that go.mod requires.
//
// It has tests only, in a module of its own, so that nothing of gitleaks becomes part of the program. The rules are
// read from the module and never copied. After another version is required, the tests name rules that are new or have
// changed.
package secretrules
