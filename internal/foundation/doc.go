// Package foundation documents the lowest layer: values and small tools that every other layer may use and that do
// not depend on documentation, HTTP or databases.
//
// A package belongs here if it would be useful in another program.
package foundation
