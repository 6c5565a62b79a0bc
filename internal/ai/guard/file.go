package guard

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

const (
	maxPath  = 512 // bytes; longer paths break checkouts on some systems
	maxPiece = 200
)

// Names are compared in lower case, because some file systems ignore case.
var (
	// machineFolders contain programs run by a code host or instructions for agents.
	machineFolders = words(`.github .gitlab .gitea .forgejo .circleci .buildkite .woodpecker .drone .bitbucket .azuredevops .azure-pipelines .teamcity
		.husky .lectern .mintlify .cursor .claude .codex .gemini .windsurf .vscode .idea .devcontainer node_modules`)
	// machineFiles are individual files of the same kind.
	machineFiles = words(`codeowners jenkinsfile bitbucket-pipelines.yml bitbucket-pipelines.yaml azure-pipelines.yml azure-pipelines.yaml
		appveyor.yml cloudbuild.yaml cloudbuild.yml buildspec.yml buildspec.yaml wercker.yml codeship-services.yml codeship-steps.yml
		agents.md agents.override.md claude.md gemini.md copilot-instructions.md
		package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb deno.json deno.lock
		makefile gnumakefile justfile taskfile.yml taskfile.yaml dockerfile containerfile docker-compose.yml docker-compose.yaml compose.yaml
		vercel.json netlify.toml wrangler.toml fly.toml render.yaml procfile`)
	// pageNames are the machineFiles that sites also use as pages.
	pageNames = words("agents.md claude.md gemini.md")
	// programEnds are the file extensions of programs.
	programEnds = words(`.exe .dll .so .dylib .com .msi .scr .bat .cmd .ps1 .psm1 .vbs .wsf .hta .jar .war .apk .app .deb .rpm .pkg .dmg
		.sh .bash .zsh .fish .command .py .rb .pl .php .lua .wasm .node .bin .elf .lnk .desktop .url .webloc .reg`)
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// Refuse returns the reason why an agent may not change the file at all, or "" if it may. It considers only the path
// and the previous content.
func (r Rules) Refuse(change draft.Change) (why string) { return refuse(change, patterns(r.Allow)) }

func refuse(change draft.Change, allow []pattern) string {
	name, lower := change.Path, strings.ToLower(change.Path)
	pieces := strings.Split(lower, "/")
	if slices.ContainsFunc(pieces, gitOwn) {
		return "git uses the file as configuration."
	}
	if lower == name && len(pieces) > 1 && pageNames[path.Base(lower)] && change.Before != nil {
		return "" // an existing page about agents
	}
	if why := forbidden(pieces); why != "" &&
		!slices.ContainsFunc(allow, func(p pattern) bool { return p.matches(name) }) {
		return "An agent may not change the file: " + why + "."
	}
	if why := badName(name); why != "" && change.Before == nil {
		return "The file's name " + why + "."
	}
	return ""
}

// name refuses files outside the agent's task, including their removal.
func (c *checker) name(change draft.Change) {
	if why := refuse(change, c.allow); why != "" {
		c.addFinding(0, ForbiddenFile, true, "%s", why)
	}
}

// badName returns why a file name would deceive people or fail on some systems, or "" if it is fine.
func badName(name string) string {
	if len(name) > maxPath || !utf8.ValidString(name) || strings.ContainsAny(name, "\\:*?\"<>|") {
		return "is not allowed on every system"
	}
	for _, r := range name {
		if unicode.IsControl(r) || invisible(r) {
			return "has invisible characters"
		}
	}
	for p := range strings.SplitSeq(name, "/") {
		if p == "" || p == "." || p == ".." || len(p) > maxPiece || strings.HasPrefix(p, "-") ||
			strings.HasPrefix(p, "~") ||
			strings.TrimSpace(p) != p || strings.HasSuffix(p, ".") {
			return "is not allowed on every system"
		}
	}
	return ""
}

// gitOwn reports whether git treats a file or folder name as its own, including variants that Windows and macOS treat
// as the same name.
func gitOwn(piece string) bool {
	piece = strings.TrimRight(strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, piece), " .")
	piece, _, _ = strings.Cut(piece, ":")
	switch piece {
	case ".git", "git~1", ".gitmodules", ".gitattributes", ".gitconfig", "gitmod~1", "gitatt~1":
		return true
	}
	return false
}

// forbidden returns the reason why an agent may not change a file, or "" if it may. The path elements are in lower
// case.
func forbidden(pieces []string) string {
	last := pieces[len(pieces)-1]
	for _, p := range pieces[:len(pieces)-1] {
		if machineFolders[p] {
			return "programs and agents read files in that folder as instructions"
		}
		if strings.HasPrefix(p, ".") && p != ".well-known" {
			return "it is in a hidden folder"
		}
	}
	switch {
	case machineFiles[last] || strings.HasPrefix(last, "jenkinsfile.") || strings.HasPrefix(last, "dockerfile."):
		return "programs and agents read it as instructions"
	case strings.HasPrefix(last, "."):
		return "it is a hidden file"
	case programEnds[path.Ext(last)]:
		return "it is a program"
	}
	return ""
}

// program returns what kind of executable the data is, or "" if it is not one.
func program(data []byte) string {
	for _, m := range []struct{ begin, what string }{
		{"#!", "a script with an interpreter line"}, {"\x7fELF", "a program"}, {"MZ", "a program"},
		{"\xfe\xed\xfa\xce", "a program"},
		{"\xfe\xed\xfa\xcf", "a program"}, {"\xcf\xfa\xed\xfe", "a program"}, {"\xce\xfa\xed\xfe", "a program"},
		{"\xca\xfe\xba\xbe", "a program"},
		{"\x00asm", "a program"}, {"!<arch>\n", "a library"},
		{"version https://git-lfs.github.com/", "a Git LFS pointer"},
	} {
		if bytes.HasPrefix(data, []byte(m.begin)) &&
			(m.begin != "MZ" || bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0) {
			return m.what
		}
	}
	return ""
}
