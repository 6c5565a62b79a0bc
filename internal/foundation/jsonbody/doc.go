// Package jsonbody decodes JSON request bodies strictly and names the field that is wrong.
//
// Inputs: the bytes of a body, and a pointer to a struct that describes the expected content. Outputs: the decoded
// struct, or an invalid fault whose field is the dotted path of the first error. It never guesses: encoding/json
// alone accepts repeated names, names in another letter case, null for any type, and text after the value (A7).
package jsonbody
