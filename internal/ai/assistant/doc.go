// Package assistant answers a reader's question from the documentation of one site and streams the answer.
//
// Inputs: a question with the page the reader was on, the site's library, and optionally a model. Outputs: Markdown
// with citations of headings, the list of cited places, and the outcome. Without a model it quotes passages. It
// never states what the library does not contain (C7) and never shows a reader unchecked model output: no HTML, no
// images, no links that are not in the retrieved pages, no citations of places that were not retrieved. The code
// enforces these rules; it does not rely on the prompt.
package assistant
