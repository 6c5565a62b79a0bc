package highlight

import "github.com/alecthomas/chroma/v2"

const (
	scriptKeywords = `abstract accessor as asserts async await break case catch class const continue debugger declare default delete do else
		enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of out override
		private protected public readonly return satisfies set static switch throw try type typeof unique using var void while with yield`
	scriptTypes     = `any bigint boolean never number object string symbol unknown`
	scriptConstants = `true false null undefined NaN Infinity this super globalThis`
	// A slash starts a regular expression in places where a value may start: after an operator, an opening bracket, or
	// a keyword such as return.
	scriptRegexp = `(?<=(?:^|[=(,:;!&|?{}\[+]|return|typeof|case)\s*)/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\[\n]){1,300}/[a-z]*`
	// keywords that can also be names
	scriptSoft = `(?:get|set|of|from|as|is|type|out|declare|accessor|using|unique|delete|default)`
	scriptName = `[A-Za-z_$][\w$]*`
)

// scriptLexers returns lexers for JavaScript with JSX and for TypeScript without it. In TypeScript, <T> is a type;
// elsewhere it is a tag.
func scriptLexers() []chroma.Lexer {
	return []chroma.Lexer{
		scriptLexer("javascript", []string{"js", "jsx", "tsx", "mjs", "cjs", "react"}, true),
		scriptLexer("typescript", []string{"ts", "mts", "cts"}, false),
	}
}

func scriptLexer(name string, aliases []string, jsx bool) chroma.Lexer {
	config := &chroma.Config{Name: name, Aliases: append([]string{name}, aliases...),
		MimeTypes: []string{"text/" + name, "application/" + name}}
	rules := chroma.Rules{
		"root": append([]chroma.Rule{{Pattern: `\A#![^\n]*`, Type: chroma.CommentHashbang}},
			append(tags(jsx), chroma.Include("code"))...),
		"code": scriptCode(),
		"braces": append([]chroma.Rule{{Pattern: `\}`, Type: chroma.Punctuation, Mutator: chroma.Pop(1)}},
			append(tags(jsx), chroma.Include("code"))...),
		"template": {
			{Pattern: "`", Type: chroma.LiteralStringBacktick, Mutator: chroma.Pop(1)},
			{Pattern: `\$\{`, Type: chroma.LiteralStringInterpol, Mutator: chroma.Push("hole")},
			{Pattern: `\\.`, Type: chroma.LiteralStringEscape},
			{Pattern: "[^`$\\\\]+|.", Type: chroma.LiteralStringBacktick},
			{Pattern: `\n`, Type: chroma.LiteralStringBacktick},
		},
		"hole": append([]chroma.Rule{{Pattern: `\}`, Type: chroma.LiteralStringInterpol, Mutator: chroma.Pop(1)}},
			append(tags(jsx), chroma.Include("code"))...),
		"name": { // the name in a declaration
			{Pattern: `\s+`, Type: chroma.TextWhitespace},
			{Pattern: scriptName, Type: chroma.NameClass, Mutator: chroma.Pop(1)},
			chroma.Default(chroma.Pop(1)),
		},
	}
	if jsx {
		rules["tag"], rules["children"] = tagRules(), childRules()
	}
	return chroma.MustNewLexer(config, func() chroma.Rules { return rules })
}

func scriptCode() []chroma.Rule {
	return []chroma.Rule{
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.CommentMultiline},
		{Pattern: scriptRegexp, Type: chroma.LiteralStringRegex},
		{Pattern: `"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`, Type: chroma.LiteralString},
		{Pattern: "`", Type: chroma.LiteralStringBacktick, Mutator: chroma.Push("template")},
		{Pattern: `@` + scriptName, Type: chroma.NameDecorator},
		{Pattern: `(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.[\d_]*)?(?:[eE][-+]?\d+)?|\.\d+)n?\b`,
			Type: chroma.LiteralNumber},
		{Pattern: `=>|\.\.\.`, Type: chroma.OperatorWord},
		{Pattern: `(?<=[.?])` + scriptName + `(?=\s*(?:<[\w\s,.\[\]|"']*>)?\()`, Type: chroma.NameFunction},
		{Pattern: `(?<=\.)[A-Z][A-Z\d_]+\b`, Type: chroma.NameConstant},
		{Pattern: `(?<=\.)[A-Z][\w$]*`, Type: chroma.NameClass},
		{Pattern: `(?<=\.)#?` + scriptName, Type: chroma.Name},
		// { key: … }, (parameter: type)
		{Pattern: `(?!default\b)` + scriptName + `(?=\??:[^:])`, Type: chroma.NameProperty},
		{Pattern: `(?:class|interface|enum|namespace)\b(?=\s+[A-Za-z_$])`, Type: chroma.Keyword,
			Mutator: chroma.Push("name")},
		{Pattern: `type\b(?=\s+[A-Za-z_$][\w$]*\s*[=<])`, Type: chroma.Keyword, Mutator: chroma.Push("name")},
		{Pattern: words(scriptConstants) + `(?![\w$])`, Type: chroma.KeywordConstant},
		{Pattern: scriptSoft + `(?=\()`, Type: chroma.NameFunction},
		{Pattern: scriptSoft + `(?=\s*[=,;.)])`, Type: chroma.Name},
		{Pattern: words(scriptKeywords) + `(?![\w$])`, Type: chroma.Keyword},
		{Pattern: words(scriptTypes) + `(?![\w$])`, Type: chroma.KeywordType},
		{Pattern: `(?:console|process|window|document|Math|JSON|Object|Array|Promise|Buffer|module|exports|require)\b(?=[.(<])`, Type: chroma.NameBuiltin},
		{Pattern: `[A-Z][A-Z\d]*_[A-Z\d_]*\b`, Type: chroma.NameConstant},
		{Pattern: scriptName + `(?=\s*(?:<[\w\s,.\[\]|"']*>)?\()`, Type: chroma.NameFunction},
		{Pattern: `[A-Z][\w$]*`, Type: chroma.NameClass},
		{Pattern: `#?[\p{L}_$][\p{L}\d_$]*`, Type: chroma.Name},
		{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("braces")},
		{Pattern: `[-+*/%=<>!&|^~?]+`, Type: chroma.Operator},
		{Pattern: `[\[\]();,.:}@#\\]`, Type: chroma.Punctuation},
	}
}

// tags returns the rule that starts JSX: an opening angle bracket and a name, in a position where a type argument
// cannot occur.
func tags(jsx bool) []chroma.Rule {
	if !jsx {
		return nil
	}
	return []chroma.Rule{
		{Pattern: `(?<![\w)\]$])(<)([A-Za-z][\w.:-]*)(?=[\s/>])`,
			Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag), Mutator: chroma.Push("tag")},
		{Pattern: `(?<![\w)\]$])<>`, Type: chroma.Punctuation, Mutator: chroma.Push("children")},
		{Pattern: `(</)([A-Za-z][\w.:-]*)?(\s*>)`,
			Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag, chroma.Punctuation)},
	}
}

func tagRules() []chroma.Rule {
	return []chroma.Rule{
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `/>`, Type: chroma.Punctuation, Mutator: chroma.Pop(1)},
		{Pattern: `>`, Type: chroma.Punctuation, Mutator: chroma.Mutators(chroma.Pop(1), chroma.Push("children"))},
		{Pattern: `//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\z)`, Type: chroma.Comment},
		{Pattern: `[A-Za-z_$][\w$:-]*`, Type: chroma.NameAttribute},
		{Pattern: `=`, Type: chroma.Operator},
		{Pattern: `"[^"]*"|'[^']*'`, Type: chroma.LiteralString},
		{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("braces")},
		{Pattern: `.`, Type: chroma.Text, Mutator: chroma.Pop(1)},
	}
}

func childRules() []chroma.Rule {
	return []chroma.Rule{
		{Pattern: `(</)([A-Za-z][\w.:-]*)?(\s*>)`,
			Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag, chroma.Punctuation), Mutator: chroma.Pop(1)},
		{Pattern: `(<)([A-Za-z][\w.:-]*)`, Type: chroma.ByGroups(chroma.Punctuation, chroma.NameTag),
			Mutator: chroma.Push("tag")},
		{Pattern: `<>`, Type: chroma.Punctuation, Mutator: chroma.Push("children")},
		{Pattern: `\{`, Type: chroma.Punctuation, Mutator: chroma.Push("braces")},
		{Pattern: `[^<{]+`, Type: chroma.Text},
		{Pattern: `.`, Type: chroma.Text},
	}
}
