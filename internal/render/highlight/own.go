package highlight

import (
	"strings"

	"github.com/alecthomas/chroma/v2"
)

// ownLexers returns lexers for languages that real pages use and that chroma supports badly or not at all.
func ownLexers() []chroma.Lexer {
	lexers := []chroma.Lexer{markdownLexer("markdown", false), markdownLexer("mdx", true), dotenvLexer(), jsonLexer(),
		fiftLexer(), shellLexer(), erbLexer()}
	lexers = append(lexers, scriptLexers()...)
	for _, f := range family() {
		lexers = append(lexers, f.lexer())
	}
	return lexers
}

func lexer(name string, rules chroma.Rules) chroma.Lexer {
	return chroma.MustNewLexer(&chroma.Config{Name: name, Aliases: []string{name}},
		func() chroma.Rules { return rules })
}

// jsonLexer returns a lexer for JSON with comments, unquoted and single-quoted keys and "…" for omissions, as in
// examples in documentation.
func jsonLexer() chroma.Lexer {
	return lexer("json", chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*|#[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.CommentMultiline},
		{Pattern: `("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')(?=\s*:)`, Type: chroma.NameAttribute},
		{Pattern: `[A-Za-z_$][\w$-]*(?=\s*:)`, Type: chroma.NameAttribute},
		{Pattern: `"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`, Type: chroma.LiteralStringDouble},
		{Pattern: `[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)\b`, Type: chroma.LiteralNumber},
		{Pattern: `(?:true|false|null|NaN|[-+]?Infinity|undefined)\b`, Type: chroma.KeywordConstant},
		{Pattern: `[{}\[\],:]`, Type: chroma.Punctuation},
		{Pattern: `[A-Za-z_$][\w$]*`, Type: chroma.Name},
		{Pattern: `.`, Type: chroma.Text},
	}})
}

func dotenvLexer() chroma.Lexer {
	return lexer("dotenv", chroma.Rules{
		"root": {
			{Pattern: `\s+`, Type: chroma.TextWhitespace},
			{Pattern: `#[^\n]*`, Type: chroma.CommentSingle},
			{Pattern: `(export)([ \t]+)`, Type: chroma.ByGroups(chroma.Keyword, chroma.TextWhitespace)},
			{Pattern: `([A-Za-z_][\w.-]*)([ \t]*)(=)`, Type: chroma.ByGroups(chroma.NameAttribute,
				chroma.TextWhitespace, chroma.Operator), Mutator: chroma.Push("value")},
			{Pattern: `[\w.-]+|[^\n]`, Type: chroma.Text},
		},
		"value": {
			{Pattern: `\n`, Type: chroma.TextWhitespace, Mutator: chroma.Pop(1)},
			{Pattern: `[ \t]+#[^\n]*`, Type: chroma.CommentSingle},
			{Pattern: `\$\{[^}\n]*\}|\$\w+`, Type: chroma.LiteralStringInterpol},
			{Pattern: `"(?:\\.|[^"\\])*"|'[^']*'`, Type: chroma.LiteralString},
			{Pattern: `[^\s#$"']+|[^\n]`, Type: chroma.LiteralString},
		},
	})
}

// markdownLexer returns a lexer that reads Markdown line by line. With jsx, it also recognizes tags, expressions and
// modules.
func markdownLexer(name string, jsx bool) chroma.Lexer {
	inline := []chroma.Rule{
		{Pattern: `\\.`, Type: chroma.Text},
		{Pattern: "(`+)[^`\\n]+\\1", Type: chroma.LiteralStringBacktick},
		{Pattern: `\*\*[^*\s][^*\n]*\*\*|__[^_\s][^_\n]*__`, Type: chroma.GenericStrong},
		{Pattern: `\*[^*\s][^*\n]*\*`, Type: chroma.GenericEmph},
		{Pattern: `(!?\[)([^\]\n]*)(\])(\()([^)\n]*)(\))`, Type: chroma.ByGroups(chroma.Punctuation,
			chroma.LiteralString, chroma.Punctuation, chroma.Punctuation, chroma.NameAttribute, chroma.Punctuation)},
		{Pattern: `https?://[^\s<>)"'\]]+`, Type: chroma.NameAttribute},
		{Pattern: `<!--[^-]*(?:-(?!->)[^-]*)*(?:-->|\z)`, Type: chroma.CommentMultiline},
		{Pattern: `(</?)([A-Za-z][\w.:-]*)`, Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag),
			Mutator: chroma.Push("tag")},
	}
	if jsx {
		inline = append(inline,
			chroma.Rule{Pattern: `\{/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/\}|\z)`, Type: chroma.CommentMultiline},
			chroma.Rule{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("expression")})
	}
	inline = append(inline, chroma.Rule{Pattern: `[^\\` + "`" + `*_!\[<{h\n]+`, Type: chroma.Text},
		chroma.Rule{Pattern: `.`, Type: chroma.Text})
	root := []chroma.Rule{
		{Pattern: `\n`, Type: chroma.TextWhitespace},
		{Pattern: `\A(---)(\n)([^-]*(?:-(?!--)[^-]*)*)(\n)(---)(?=\n|\z)`, Type: chroma.ByGroups(chroma.CommentPreproc,
			chroma.TextWhitespace, chroma.Using("yaml"), chroma.TextWhitespace, chroma.CommentPreproc)},
		{Pattern: `^[ \t]*#{1,6}[ \t][^\n]*`, Type: chroma.GenericHeading},
		{Pattern: "^([ \\t]*)(```+|~~~+)([^\\n]*)", Type: chroma.ByGroups(chroma.TextWhitespace, chroma.Punctuation,
			chroma.NameAttribute), Mutator: chroma.Push("fence")},
		{Pattern: `^([ \t]*)([-*+]|\d+[.)])([ \t]+)`,
			Type: chroma.ByGroups(chroma.TextWhitespace, chroma.Keyword, chroma.TextWhitespace)},
		{Pattern: `^[ \t]*>`, Type: chroma.Keyword},
	}
	if jsx {
		root = append(root, chroma.Rule{Pattern: `^(?:import|export)\b[^\n]*`, Type: chroma.Using("typescript")})
	}
	return lexer(name, chroma.Rules{
		"root":   append(root, chroma.Include("inline")),
		"inline": inline,
		"fence": {
			{Pattern: "^[ \\t]*(?:```+|~~~+)[ \\t]*$", Type: chroma.Punctuation, Mutator: chroma.Pop(1)},
			{Pattern: `[^\n]+`, Type: chroma.LiteralString},
			{Pattern: `\n`, Type: chroma.TextWhitespace},
		},
		"tag": {
			{Pattern: `\s+`, Type: chroma.TextWhitespace},
			{Pattern: `/?>`, Type: chroma.Punctuation, Mutator: chroma.Pop(1)},
			{Pattern: `[\w:.-]+`, Type: chroma.NameAttribute},
			{Pattern: `=`, Type: chroma.Operator},
			{Pattern: `"[^"]*"|'[^']*'`, Type: chroma.LiteralString},
			{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("expression")},
			{Pattern: `.`, Type: chroma.Text, Mutator: chroma.Pop(1)},
		},
		"expression": {
			{Pattern: `\}`, Type: chroma.Punctuation, Mutator: chroma.Pop(1)},
			{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("expression")},
			{Pattern: `"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|` + "`[^`]*`", Type: chroma.LiteralString},
			{Pattern: `//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.Comment},
			{Pattern: `\d+(?:\.\d+)?\b`, Type: chroma.LiteralNumber},
			{Pattern: `(?:true|false|null|undefined)\b`, Type: chroma.KeywordConstant},
			{Pattern: `(?:const|let|return|if|else|new|typeof|await|function)\b`, Type: chroma.Keyword},
			{Pattern: `[\w$]+`, Type: chroma.Name},
			{Pattern: `\s+`, Type: chroma.TextWhitespace},
			{Pattern: `.`, Type: chroma.Text},
		},
	})
}

// fiftLexer returns a lexer for Fift, a stack language in which words are separated by white space.
func fiftLexer() chroma.Lexer {
	return lexer("fift", chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.CommentMultiline},
		{Pattern: `\.?"[^"\n]*"?`, Type: chroma.LiteralString},
		{Pattern: `[bxB]\{[^}\n]*\}`, Type: chroma.LiteralNumber},
		{Pattern: `-?(?:0x[0-9a-fA-F]+|0b[01]+|\d+)(?=\s|\z)`, Type: chroma.LiteralNumber},
		{Pattern: `(?:PROGRAM\{|\}END>c|\}END>s|PROC:<\{|PROC:|PROCREF:<\{|PROCINLINE:<\{|METHOD:<\{|DECLPROC|DECLMETHOD|CONT:<\{|IF:<\{|\}>ELSE<\{|WHILE:<\{|\}>DO<\{|REPEAT:<\{|UNTIL:<\{|IFJMP:<\{|\}>)(?=\s|\z)`, Type: chroma.Keyword},
		{Pattern: `(?:constant|variable|create|include|is|:|::|_|cond|if|ifnot|while|until|times|recursive|dup|drop|swap|over|rot|nip|tuck)(?=\s|\z)`, Type: chroma.Keyword},
		{Pattern: `[A-Z][A-Z0-9_]*[#?]?(?=\s|\z)`, Type: chroma.NameBuiltin},
		{Pattern: `(?:<b|b>|<s|s>|[a-z0-9]+,|[a-z0-9]+@\+?)(?=\s|\z)`, Type: chroma.NameFunction},
		{Pattern: `\S+`, Type: chroma.Name},
	}})
}

// words returns a pattern that matches any of the whole words in a list separated by blanks.
func words(list string) string { return `(?:` + strings.Join(strings.Fields(list), "|") + `)\b` }
