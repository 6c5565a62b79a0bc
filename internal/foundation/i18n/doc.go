// Package i18n holds the platform's own texts around a page, in every language that a site can have.
//
// Inputs: a language code as written in site files. Outputs: the texts, the language code for browsers, and the
// direction of the script. It never holds authors' texts, and does not depend on where its texts appear.
package i18n
