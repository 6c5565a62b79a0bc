// Package jsx scans the syntax of tags and braces: one opening, closing or self-closing tag, or one {expression},
// at an offset in some text.
//
//	tag       = "<" name? attribute* "/"? ">"  |  "<" "/" name? ">"
//	name      = id ( "." id )*  |  id ":" id
//	attribute = attrname ( "=" ( quoted | braces ) )?  |  "{" "..." js "}"  |  "{" comment "}"
//
// White space, including line breaks, may appear between all parts except directly after "<".
//
// Inputs: text that may grow line by line, because only the block parser knows whether the next line still belongs to
// the same quote or list. Outputs: tags with offsets into that text; errors with the offset and what was expected
// there. It never matches opening with closing tags, interprets a tag, or evaluates code.
package jsx
