// Package jsx reads the syntax of tags and braces: one opening, closing or self-closing tag, or one {expression}, at a place in a text.
//
//	tag       = "<" name? attribute* "/"? ">"  |  "<" "/" name? ">"
//	name      = id ( "." id )*  |  id ":" id
//	attribute = attrname ( "=" ( quoted | braces ) )?  |  "{" "..." js "}"  |  "{" comment "}"
//
// White space, line breaks included, may stand between all parts but directly after "<".
//
// In: text that may grow line by line, because blocks in quotes and lists learn only while reading whether a line still belongs to them.
// Out: tags with offsets into that text; errors with the place and what was expected there.
// Never: matches opening with closing tags, decides what a tag means, evaluates.
package jsx
