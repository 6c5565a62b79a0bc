// Package foundation documents the lowest layer: values and small tools that every other layer may use and that know
// nothing about documentation, HTTP or databases.
//
// A package belongs here if it would make sense in another program.
package foundation
