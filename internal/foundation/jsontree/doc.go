// Package jsontree reads JSON into values that keep their order and know their place, for files whose mistakes are told to an author.
//
// In: the text of a JSON file from an author we do not trust, and limits.
// Out: a Document: a tree of Values with lines and columns; JSON text again.
// Never: knows what a key means, reads a file, or spends more than linear time.
//
// Grammar (JSON; comments and trailing commas are accepted and noted):
//
//	value  = object | array | string | number | "true" | "false" | "null"
//	object = "{" [ string ":" value { "," string ":" value } [ "," ] ] "}"
//	array  = "[" [ value { "," value } [ "," ] ] "]"
package jsontree
