// Package jsonbody decodes JSON request bodies strictly and names the field that is wrong.
//
// Inputs: the bytes of a body, and a pointer to a struct that describes the expected content. Outputs: the decoded
// struct, or an invalid fault whose field is the dotted path of the first error. It refuses repeated names, names in
// another letter case, null for types that do not permit it, and text after the value, all of which encoding/json alone
// accepts (A7).
package jsonbody
