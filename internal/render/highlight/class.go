package highlight

import "github.com/alecthomas/chroma/v2"

// classes maps token types to class names, which style sheets refer to:
//
//	k keyword      t type, class      f function      b built-in, constant   v variable, property, attribute
//	s string       e escape, regexp   n number        c comment              m tag, decorator, macro
//	o operator     q prompt, muted output             h heading              gi gd added and removed text
//	gs ge strong and emphasized text
//
// Punctuation, plain names and errors have no class.
var classes = map[chroma.TokenType]string{
	chroma.Keyword: "k", chroma.KeywordType: "t", chroma.KeywordConstant: "b", chroma.OperatorWord: "k",
	chroma.NameClass: "t", chroma.NameException: "t", chroma.NameNamespace: "t",
	chroma.NameFunction: "f", chroma.NameFunctionMagic: "f",
	chroma.NameBuiltin: "b", chroma.NameBuiltinPseudo: "b", chroma.NameConstant: "b",
	chroma.NameVariable: "v", chroma.NameVariableAnonymous: "v", chroma.NameVariableClass: "v",
	chroma.NameVariableGlobal:   "v",
	chroma.NameVariableInstance: "v", chroma.NameVariableMagic: "v", chroma.NameAttribute: "v",
	chroma.NameProperty: "v",
	chroma.NameTag:      "m", chroma.NameDecorator: "m", chroma.NamePseudo: "m", chroma.NameEntity: "e",
	chroma.NameLabel:     "v",
	chroma.LiteralString: "s", chroma.LiteralStringEscape: "e", chroma.LiteralStringInterpol: "e",
	chroma.LiteralStringRegex:  "e",
	chroma.LiteralStringSymbol: "b", chroma.LiteralStringAffix: "k", chroma.Literal: "s", chroma.LiteralDate: "n",
	chroma.LiteralNumber: "n", chroma.Comment: "c", chroma.CommentPreproc: "m", chroma.CommentPreprocFile: "s",
	chroma.Operator: "o", chroma.GenericInserted: "gi", chroma.GenericDeleted: "gd", chroma.GenericHeading: "h",
	chroma.GenericSubheading: "h",
	chroma.GenericStrong:     "gs", chroma.GenericEmph: "ge", chroma.GenericPrompt: "q", chroma.GenericOutput: "q",
}

// classOf returns the class of a token type, or of its group, or "".
func classOf(typ chroma.TokenType) string {
	if class, ok := classes[typ]; ok {
		return class
	}
	if class, ok := classes[typ.SubCategory()]; ok {
		return class
	}
	if typ.InCategory(chroma.Name) || typ.InCategory(chroma.Generic) {
		return ""
	}
	return classes[typ.Category()]
}
