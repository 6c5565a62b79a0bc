// Package assistant answers a reader's question from the documentation of one site, in pieces as the answer is made.
//
// In: a question with what the reader had before them, the site's library, and a model or none.
// Out: Markdown with citations of headings, which of them it named, and how the answer came out. Without a model it quotes passages.
// Never: says what the library does not show (C7); lets a model's words reach a reader unchecked: no HTML, no picture, no link that the
// retrieved pages do not have, no citation of a place that was not retrieved. What must hold is enforced here, not asked of the model.
package assistant
