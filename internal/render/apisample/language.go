package apisample

import (
	"slices"
	"strings"
)

// Language is a language for samples.
type Language struct {
	Key       string // "python"
	Title     string // "Python"
	Highlight string // language for syntax highlighting
	write     func(Request) string
}

// Write returns the sample in this language, without a final line break.
func (l Language) Write(r Request) string { return strings.TrimRight(l.write(r), "\n") }

// all lists the languages, the most common ones first.
func all() []Language {
	return []Language{
		{"bash", "cURL", "bash", curl},
		{"python", "Python", "python", python},
		{"javascript", "JavaScript", "javascript", javascript},
		{"php", "PHP", "php", php},
		{"go", "Go", "go", golang},
		{"java", "Java", "java", java},
		{"ruby", "Ruby", "ruby", ruby},
		{"node", "Node.js", "javascript", node},
		{"typescript", "TypeScript", "typescript", typescript},
		{"powershell", "PowerShell", "powershell", powershell},
		{"swift", "Swift", "swift", swift},
		{"csharp", "C#", "csharp", csharp},
		{"kotlin", "Kotlin", "kotlin", kotlin},
		{"rust", "Rust", "rust", rust},
		{"dart", "Dart", "dart", dart},
		{"c", "C", "c", clang},
		{"cpp", "C++", "cpp", cpp},
	}
}

// usual is the number of languages on a site that does not configure any.
const usual = 7

// Languages finds languages by the names that sites use for them, without duplicates, in the order of names. It
// returns unknown names separately. Without names, it returns the most common languages.
func Languages(names []string) (found []Language, unknown []string) {
	list := all()
	if len(names) == 0 {
		return list[:usual], nil
	}
	seen := map[string]bool{}
	for _, name := range names {
		key := Canonical(name)
		known := false
		for _, l := range list {
			if l.Key == key {
				known = true
				if !seen[key] {
					found = append(found, l)
				}
				seen[key] = true
			}
		}
		if !known {
			unknown = append(unknown, name)
		}
	}
	return found, unknown
}

// Keys returns the keys of all languages, starting with those in first.
func Keys(first []string) (keys []string) {
	found, _ := Languages(first)
	for _, l := range slices.Concat(found, all()) {
		if !slices.Contains(keys, l.Key) {
			keys = append(keys, l.Key)
		}
	}
	return keys
}

// Canonical returns the key of a language for any of its names. It returns an unknown name in lower case.
func Canonical(name string) string {
	name = strings.ToLower(strings.TrimSpace(name))
	switch name {
	case "curl", "sh", "shell", "terminal", "zsh", "cli", "http":
		return "bash"
	case "py", "python3", "requests":
		return "python"
	case "js", "fetch", "browser":
		return "javascript"
	case "ts":
		return "typescript"
	case "nodejs", "node.js":
		return "node"
	case "golang":
		return "go"
	case "rb":
		return "ruby"
	case "c#", "cs", "dotnet", ".net":
		return "csharp"
	case "c++", "cplusplus":
		return "cpp"
	case "kt":
		return "kotlin"
	case "rs":
		return "rust"
	case "ps1", "pwsh":
		return "powershell"
	}
	return name
}

// Title returns a language's name for readers, or "" if it is unknown.
func Title(name string) string {
	key := Canonical(name)
	for _, l := range all() {
		if l.Key == key {
			return l.Title
		}
	}
	return ""
}
