package highlight

import (
	"path"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// aliases maps names that authors write to languages that have another name here, or whose rules are similar enough.
var aliases = map[string]string{
	"shellsession": "console", "terminal": "console", "shell-session": "console", "bash-session": "console",
	"sh-session": "console",
	"curl":       "bash", "env": "dotenv", ".env": "dotenv", "shellscript": "bash", "cli": "bash", "command": "bash",
	"zshrc": "bash", "gitignore": "bash",
	"node": "javascript", "nodejs": "javascript", "node.js": "javascript", "javascriptreact": "javascript",
	"typescriptreact": "javascript",
	"deno":            "typescript", "vite": "typescript", "bun": "typescript", "es6": "javascript", "ejs": "erb",
	"rhtml": "erb", "phtml": "php", "svelte": "html",
	"jsonc": "json", "json5": "json", "jsonl": "json", "ndjson": "json", "json-ld": "json", "geojson": "json",
	"har": "json", "webmanifest": "json",
	"md": "markdown", "mdoc": "mdx", "markdoc": "mdx", "astro": "mdx",
	"pycon": "python", "ipython": "python", "python-repl": "python", "vyper": "python", "vy": "python",
	"starlark": "python", "bazel": "python",
	"jupyter": "python", "cairo": "rust", "noir": "rust", "sway": "rust", "ink": "rust",
	"psql": "postgresql", "pgsql": "postgresql", "clickhouse": "sql", "plsql": "sql", "sqlite": "sql",
	"snowflake": "sql", "bigquery": "sql",
	"duckdb": "sql", "redshift": "sql", "spark-sql": "sql", "dql": "sql", "soql": "sql", "hql": "sql",
	"googlesql": "sql",
	"kql":       "kusto", "csl": "kusto", "f#": "fsharp", "vb.net": "vb", "visual-basic": "vb", "objective-c++": "objc",
	"objectivec++": "objc",
	"dotnet":       "csharp", ".net": "csharp", "c-sharp": "csharp", "asm": "nasm", "assembly": "nasm", "wasm": "wat",
	"webassembly": "wat",
	"liquid":      "django", "jinja2": "django", "j2": "django", "nunjucks": "django", "njk": "django",
	"tera": "django", "razor": "html", "cshtml": "html",
	"less": "scss", "pcss": "css", "postcss": "css", "tailwindcss": "css", "htaccess": "apacheconf",
	"apache": "apacheconf",
	"logql":  "promql", "traceql": "promql", "opentofu": "hcl", "tofu": "hcl", "terraform": "hcl", "tf": "hcl",
	"tfvars": "hcl", "nomad": "hcl",
	"docker-compose": "yaml", "compose": "yaml", "openapi": "yaml", "helm": "yaml", "k8s": "yaml", "kubernetes": "yaml",
	"cloudformation": "yaml",
	"fc":             "func", "gherkin": "cucumber", "feature": "cucumber", "make": "makefile", "mk": "makefile",
	"git": "diff", "patch": "diff", "udiff": "diff",
	"editorconfig": "ini", "npmrc": "ini", "gitconfig": "ini", "conf": "ini", "config": "ini", "cfg": "ini",
	"service": "systemd",
	"pwsh":    "powershell", "ps": "powershell", "batch": "batchfile", "dos": "batchfile", "vimscript": "vim",
	"el":     "emacslisp",
	"delphi": "objectpascal", "pas": "objectpascal", "pascal": "objectpascal", "proto3": "protobuf",
	"protobuf3": "protobuf", "swiftui": "swift", "kts": "kotlin", "gradle": "groovy",
	"jenkinsfile": "groovy", "sol": "solidity", "yul": "solidity", "dockerignore": "bash", "rst": "restructuredtext",
	"heex": "erb", "eex": "erb",
	"leex": "erb", "xhtml": "html", "htm": "html", "rss": "xml", "plist": "xml", "wsdl": "xml", "xsd": "xml",
	"xaml": "xml", "csproj": "xml", "pom": "xml",
}

// texts contains names for plain text. They are known names, but have no rules.
var texts = map[string]bool{
	"": true, "text": true, "txt": true, "plain": true, "plaintext": true, "plain-text": true, "none": true,
	"output": true, "log": true, "logs": true,
	"ascii": true, "ansi": true, "stdout": true, "no-highlight": true, "nohighlight": true, "text/plain": true,
	"tree": true, "csv": true, "mermaid": true,
}

func isText(name string) bool { return texts[name] }

// canonical returns the name under which a language is listed.
func canonical(lang string) string {
	name := strings.ToLower(strings.TrimSpace(lang))
	if to, ok := aliases[name]; ok {
		return to
	}
	return name
}

// foreign contains the lexers that consist of more than rules and that we run with chroma's engine. We do not use any
// other lexers of this kind.
var foreign = map[string]bool{"HTTP": true, "Common Lisp": true, "EmacsLisp": true}

// listLanguages returns every language by name. Our lexers take precedence over chroma's, and names over aliases and
// file extensions.
func listLanguages() (map[string]*language, *chroma.LexerRegistry) {
	byName := map[string]*language{}
	registry := chroma.NewLexerRegistry()
	all := make([]*language, 0, 320)
	add := func(lexer chroma.Lexer) {
		all = append(all, &language{lexer: lexer, registry: registry})
	}
	for _, lexer := range ownLexers() {
		add(lexer)
	}
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		if _, ok := lexer.(*chroma.RegexLexer); ok || foreign[lexer.Config().Name] {
			add(lexer)
		}
	}
	claim := func(name string, l *language) {
		name = strings.ToLower(name)
		if byName[name] == nil && !texts[name] {
			byName[name] = l
		}
	}
	for _, l := range all {
		claim(l.lexer.Config().Name, l)
	}
	for _, l := range all {
		for _, alias := range l.lexer.Config().Aliases {
			claim(alias, l)
		}
	}
	for _, l := range all {
		for _, glob := range l.lexer.Config().Filenames {
			if ext := path.Ext(glob); glob == "*"+ext && len(ext) > 1 && !strings.ContainsAny(ext, "[]*?") {
				claim(ext[1:], l)
			}
		}
	}
	for i := len(all) - 1; i >= 0; i-- { // in the registry, the last one takes precedence
		registry.Register(inner{all[i]})
	}
	return byName, registry
}
