package highlight

import "github.com/alecthomas/chroma/v2"

const (
	shellKeywords = `if then else elif fi for while until do done case esac select function time in`
	shellBuiltins = `export local declare readonly unset alias source eval exec set shift trap return exit break continue cd echo printf read test sudo`
)

// shellLexer returns a lexer for shell commands in documentation: the program, its options, strings and variables.
func shellLexer() chroma.Lexer {
	config := &chroma.Config{Name: "bash", Aliases: []string{"bash", "sh", "zsh", "shell", "ksh"}}
	rules := chroma.Rules{
		// The state at the start of a command.
		"root": {
			{Pattern: `\s+|\\\n`, Type: chroma.TextWhitespace},
			{Pattern: `#[^\n]*`, Type: chroma.CommentSingle},
			{Pattern: `\$(?=[ \t])`, Type: chroma.GenericPrompt},
			{Pattern: words(shellKeywords) + `(?=[\s;]|\z)`, Type: chroma.Keyword},
			{Pattern: `([A-Za-z_]\w*)(\+?=)(?=[\s;]|\z)`, Type: chroma.ByGroups(chroma.NameVariable, chroma.Operator)},
			{Pattern: `([A-Za-z_]\w*)(\+?=)`, Type: chroma.ByGroups(chroma.NameVariable, chroma.Operator),
				Mutator: chroma.Push("value")},
			{Pattern: `([\w.-]+)([ \t]*)(\(\))`,
				Type: chroma.ByGroups(chroma.NameFunction, chroma.TextWhitespace, chroma.Punctuation)},
			{Pattern: `[(){}!\[\];|&]`, Type: chroma.Operator},
			{Pattern: words(shellBuiltins) + `(?=[\s;)]|\z)`, Type: chroma.NameBuiltin,
				Mutator: chroma.Push("arguments")},
			{Pattern: `[~./@%\w+:-]+`, Type: chroma.NameFunction, Mutator: chroma.Push("arguments")},
			chroma.Default(chroma.Push("arguments")),
		},
		"arguments": {
			{Pattern: `\\\n`, Type: chroma.TextWhitespace},
			{Pattern: `(?=[)\n}])`, Mutator: chroma.Pop(1)},
			{Pattern: `\|\|?|&&?(?!>)|;+`, Type: chroma.Operator, Mutator: chroma.Pop(1)},
			{Pattern: `[ \t\r]+(?=#)`, Type: chroma.TextWhitespace, Mutator: chroma.Push("comment")},
			{Pattern: `[ \t\r]+`, Type: chroma.TextWhitespace},
			{Pattern: `(<<-?)([ \t]*['"]?)(\w+)(['"]?[^\n]*\n)([\s\S]*?^[\t ]*\3)(?=\n|\z)`,
				Type: chroma.ByGroups(chroma.Operator, chroma.Punctuation, chroma.NameConstant, chroma.Text,
					chroma.LiteralString)},
			{Pattern: `\d?[<>]+&?[-\d]?|&>+`, Type: chroma.Operator},
			{Pattern: `(?<![^\s=])--?[A-Za-z?][\w.-]*`, Type: chroma.NameAttribute},
			{Pattern: `(?<![^\s=])\d+(?:\.\d+)*(?=[\s;)]|\z)`, Type: chroma.LiteralNumber},
			{Pattern: `(?<![^\s])<[\w -]+>`, Type: chroma.NameVariable}, // <placeholder>
			chroma.Include("word"),
		},
		"comment": {{Pattern: `#[^\n]*`, Type: chroma.CommentSingle, Mutator: chroma.Pop(1)}},
		"value": {
			{Pattern: `(?=[\s;)&|])`, Mutator: chroma.Pop(1)},
			{Pattern: `\(`, Type: chroma.Operator, Mutator: chroma.Push("substitution")},
			chroma.Include("word"),
		},
		"word": {
			{Pattern: `'[^']*'?`, Type: chroma.LiteralString},
			{Pattern: `\$?"`, Type: chroma.LiteralString, Mutator: chroma.Push("quoted")},
			chroma.Include("variable"),
			{Pattern: "`", Type: chroma.Operator},
			{Pattern: `\\.`, Type: chroma.LiteralStringEscape},
			{Pattern: `[^\s'"$\\` + "`" + `;|&)<>]+`, Type: chroma.Text},
			{Pattern: `.`, Type: chroma.Text},
			{Pattern: `\\`, Type: chroma.Text},
		},
		"variable": {
			{Pattern: `\$\(\([^\n)]*\)\)`, Type: chroma.LiteralStringInterpol},
			{Pattern: `\$\(`, Type: chroma.LiteralStringInterpol, Mutator: chroma.Push("substitution")},
			{Pattern: `\$\{[^}\n]*\}|\$[A-Za-z_]\w*|\$[\d@#?*!$-]`, Type: chroma.NameVariable},
			{Pattern: `\{\{[^}\n]*\}\}`, Type: chroma.NameVariable},
		},
		"quoted": {
			{Pattern: `"`, Type: chroma.LiteralString, Mutator: chroma.Pop(1)},
			{Pattern: `\\(?:.|\n)`, Type: chroma.LiteralStringEscape},
			chroma.Include("variable"),
			{Pattern: `[^"\\${]+|[${]`, Type: chroma.LiteralString},
		},
		"substitution": append([]chroma.Rule{{Pattern: `\)`, Type: chroma.LiteralStringInterpol,
			Mutator: chroma.Pop(1)}}, chroma.Include("root")),
	}
	return chroma.MustNewLexer(config, func() chroma.Rules { return rules })
}
