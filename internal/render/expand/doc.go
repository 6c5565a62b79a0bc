// Package expand turns a parsed page into one that holds only what a reader sees: imports and snippets are put in place, expressions
// become their values, attributes become props, and components that authors wrote become what they render.
//
// In: a page's source and the docs folder it stands in.
// Out: content nodes (no ast.Expr, no ast.ESM, no ast.Slot outside islands; elements have Props), client units, findings.
// Never: writes HTML, knows a component's looks, runs author code itself: jsbuild compiles it and jsrun runs it, capped.
//
// Most pages need no JavaScript: literals, data and snippets are evaluated here. Only an expression beyond the expr room, or a
// component that is code, starts an engine, one for each page.
package expand
