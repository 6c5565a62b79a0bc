// Package expand evaluates a parsed page: it inserts imports and snippets, replaces expressions with their values,
// turns attributes into props, and replaces author components with their output.
//
// Inputs: a page's source and its docs folder. Outputs: content nodes (without ast.Expr, ast.ESM, and ast.Slot outside
// islands; elements have Props), client units, the files that the page depends on, findings. It never writes HTML, and
// does not depend on what a component looks like. It does not run author code itself: jsbuild compiles the code, and
// jsrun runs it within limits.
//
// Site.Page runs the steps. Each step has its own file and calls only the steps above it in this list:
//
//	parse.go     source of a page or snippet → module: its tree and its import and export statements
//	define.go    import and export statements → definition of each name: data, a snippet, code, another file's name
//	resolve.go   a name → data, a snippet or code, through other files; a file is parsed once for all pages
//	compile.go   the parts of a module that only JavaScript can evaluate → one script with numbered pieces (thunks)
//	run.go       a thunk and its props → a value, in the JavaScript engine
//	evaluate.go  an expression → a value: in this process (package expr) if possible, with run.go otherwise
//	nodes.go     content → expanded content; element.go, snippet.go, component.go and place.go have its cases
//
// Only the last step calls itself: snippets contain content that contains snippets. The steps share the page's
// findings, budget, dependencies and islands, each of which has a file of that name.
//
// Most pages need no JavaScript. The engine is opened for the first expression that package expr does not support, or
// the first component that is code.
package expand
