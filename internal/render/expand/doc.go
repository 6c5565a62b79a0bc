// Package expand evaluates a parsed page: it inserts imports and snippets, replaces expressions by their values, turns
// attributes into props, and replaces author components by what they render.
//
// Inputs: a page's source and its docs folder.
// Outputs: content nodes (no ast.Expr, no ast.ESM, no ast.Slot outside islands; elements have Props), client units,
// findings.
// Never: writes HTML, depends on the appearance of a component, or runs author code itself: jsbuild compiles it and
// jsrun runs it with limits.
//
// Most pages need no JavaScript: literals, data and snippets are evaluated here. Only an expression that package expr
// does not support, or a component that is code, starts an engine, one for each page.
package expand
