// Package jsonbody reads request bodies strictly: what is not exactly what was asked for is refused by name.
//
// In: the bytes of a body and a pointer to a struct that says what is wanted.
// Out: the filled struct, or an invalid fault whose field is the dotted path of the first thing that is wrong.
// Never: guesses; encoding/json alone lets repeated names, other spellings of a name, null for anything and text after
// the value pass (A7).
package jsonbody
