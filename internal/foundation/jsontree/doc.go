// Package jsontree parses JSON into values that keep their order and position, for files whose errors are reported to
// an author.
//
// Inputs: the text of a JSON file from an untrusted author, and limits.
// Outputs: a Document: a tree of Values with lines and columns; JSON text again.
// It never interprets a key, reads a file, or takes more than linear time.
//
// Grammar (JSON; comments and trailing commas are accepted and noted):
//
//	value  = object | array | string | number | "true" | "false" | "null"
//	object = "{" [ string ":" value { "," string ":" value } [ "," ] ] "}"
//	array  = "[" [ value { "," value } [ "," ] ] "]"
package jsontree
