// Package apipage renders pages about an API: operations, webhooks, schemas, channels, and pages that describe an
// operation themselves.
//
// Inputs: a page of the site model, the API descriptions, and the Writer of the page. Outputs: HTML: the bar with
// method and URL, then authorizations, parameters, bodies, responses and callbacks; samples go to the side panel.
// It never reads files or trusts text from a description, which it renders as Markdown without tags and
// expressions.
//
// Fields look like the ParamField component and share its style. Everything expands and collapses without a script.
package apipage
