// Package apipage draws pages about an API: operations, webhooks, schemas, channels, and pages that describe an operation themselves.
//
// In: a page of the site model, the API descriptions, and the Writer of the page.
// Out: HTML: the bar with method and address, then authorizations, parameters, bodies, answers and callbacks; samples go to the side panel.
// Never: reads files, trusts text from a description: it is Markdown without tags and expressions, drawn by the page's own host.
//
// Fields look like the catalogue's ParamField and share its style; everything opens and closes without a script.
package apipage
