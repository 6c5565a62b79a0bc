// Package jsbuild compiles the JavaScript of a page: its import and export statements and the expressions that need an
// engine.
//
// Inputs: pieces of an MDX file with their positions, and the docs folder as fs.FS.
// Outputs: one script per file for the engine (Unit), one per file for browsers (Client), and findings at the author's
// own line and column.
// It never reads outside the docs folder, runs code, or installs or loads npm packages.
//
// # Undefined names
//
// In this dialect, a page may use a name without defining it: {word} is a variable of the snippet, <Card> a component
// of the platform, useState a hook. The bundler knows which names are free but does not report them, and a second scope
// analysis would always have to agree with the bundler's. Therefore, the bundle becomes the body of a sloppy-mode
// function inside a with statement, whose object the runtime creates for each set of variables. The module's own names
// take precedence, because they are in an inner scope. They are followed by variables, the runtime's names, and
// JavaScript's globals. Any other name is undefined and causes a note instead of an exception. The same script works in
// the engine and, as a classic script, in browsers.
package jsbuild
