// Package jsbuild compiles the JavaScript of a page: its import and export statements and the expressions that need an engine.
//
// In: pieces of an MDX file with their places, and the docs folder as fs.FS.
// Out: one script per file for the engine (Unit), one per file for browsers (Client), and findings at the author's own line and column.
// Never: reads outside the docs folder, runs code, installs or loads npm packages.
//
// # Names that nobody defined
//
// In this dialect a name may come from nowhere: {word} is a variable of the snippet, <Card> a component of the platform, useState a hook.
// The bundler knows which names are free but does not tell, and a second scope analysis would have to agree with it for ever. So the bundle
// becomes the body of a sloppy function inside a with statement. Its object is made by the runtime for each set of variables. Names of the
// module win because they are further in; then come variables, then the runtime's names, then JavaScript's globals, and what is left
// is undefined, with a note, instead of an exception. The same script works in the engine and, as a classic script, in browsers.
package jsbuild
