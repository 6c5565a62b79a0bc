package highlight

import "github.com/alecthomas/chroma/v2"

// erbLexer returns a lexer for HTML with pieces of Ruby (or another template language between <% and %>) anywhere
// in it.
func erbLexer() chroma.Lexer {
	return lexer("erb", chroma.Rules{
		"root": {
			chroma.Include("piece"),
			{Pattern: `<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|\z)`, Type: chroma.CommentMultiline},
			{Pattern: `(</?)([A-Za-z][\w:.-]*)`, Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag),
				Mutator: chroma.Push("tag")},
			{Pattern: `&\w+;`, Type: chroma.NameEntity},
			{Pattern: `[^<&]+|[<&]`, Type: chroma.Text},
		},
		"piece": {
			{Pattern: `<%#[^%]*(?:%(?!>)[^%]*)*(?:%>|\z)`, Type: chroma.CommentMultiline},
			{Pattern: `(<%[=-]?)([^%]*(?:%(?!>)[^%]*)*)(%>|\z)`,
				Type: chroma.ByGroups(chroma.CommentPreproc, chroma.Using("ruby"), chroma.CommentPreproc)},
		},
		"tag": {
			chroma.Include("piece"),
			{Pattern: `\s+`, Type: chroma.TextWhitespace},
			{Pattern: `/?>`, Type: chroma.Punctuation, Mutator: chroma.Pop(1)},
			{Pattern: `[\w:@.-]+`, Type: chroma.NameAttribute},
			{Pattern: `=`, Type: chroma.Operator},
			{Pattern: `"`, Type: chroma.LiteralString, Mutator: chroma.Push("quoted")},
			{Pattern: `'[^']*'?`, Type: chroma.LiteralString},
			{Pattern: `.`, Type: chroma.Text},
		},
		"quoted": {
			chroma.Include("piece"),
			{Pattern: `"`, Type: chroma.LiteralString, Mutator: chroma.Pop(1)},
			{Pattern: `[^"<]+|<`, Type: chroma.LiteralString},
		},
	})
}
