// Package apipage renders API pages: operations, webhooks, schemas, channels, and pages that document an operation in
// their own text.
//
// Inputs: a page of the site model, the API descriptions, and the page's Writer. Outputs: HTML for the bar with the
// method and URL, followed by authorizations, parameters, bodies, responses and callbacks; samples go to the side
// panel. It never reads files, and never trusts text from a description: it renders such text as Markdown without tags
// or expressions.
//
// Fields look like the ParamField component and share its style. Everything expands and collapses without a script.
package apipage
