// Package jsontree parses JSON into values that keep their order and position, for files whose errors are reported
// to an author.
//
// Inputs: the text of a JSON file from an untrusted author, and limits. Outputs: a Document, which is a tree of
// Values with lines and columns; JSON text again. It never interprets keys or reads files, and takes linear time.
//
// Grammar (JSON; comments and trailing commas are accepted and noted):
//
//	value  = object | array | string | number | "true" | "false" | "null"
//	object = "{" [ string ":" value { "," string ":" value } [ "," ] ] "}"
//	array  = "[" [ value { "," value } [ "," ] ] "]"
package jsontree
