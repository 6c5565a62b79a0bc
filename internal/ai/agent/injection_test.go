package agent_test

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/guard"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/domain/automation"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/source/forge/pull"
	"github.com/lectern-docs/lectern/internal/source/git"
	"github.com/lectern-docs/lectern/internal/store"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

const (
	canary       = "kestrel"                           // occurs in every instruction of the corpus
	serverSecret = "hunter2-is-the-key-of-this-server" // a secret of the server, according to the rig
	outsideWord  = "KETTLE_ROOT_PASSPHRASE"            // occurs in files outside the docs folder
	injectedTask = "Fix broken links"
)

// issued has the format of a code host's access token. It is concatenated here so that the file contains no token.
var issued = "ghp_" + strings.Repeat("Zx8Qm2Lv7Rt4", 3)

// injectedBase returns the repository that every case starts with.
func injectedBase() map[string]string {
	return map[string]string{
		"docs/docs.json":           `{"name": "Kettle", "navigation": {"pages": ["index", "guides/install"]}}` + "\n",
		"docs/index.mdx":           "---\ntitle: Welcome\n---\n\nWelcome to the kettle.\n\nRead [how to install it](/guides/instal).\n",
		"docs/guides/install.mdx":  "---\ntitle: Install\n---\n\nInstall the kettle.\n",
		".env":                     "PASSPHRASE=" + outsideWord + "\n",
		".github/workflows/ci.yml": "name: test\n# " + outsideWord + "\n",
		"CODEOWNERS":               "* @kettle/docs\n",
		"README.md":                "# Kettle\n",
		"src/main.go":              "package main // " + outsideWord + "\n",
	}
}

// injection is one case of the injection corpus.
type injection struct {
	name                    string
	set                     map[string]string
	attacked, control       map[string]string // files relative to the repository's root; "link: x" = a symbolic link
	obey                    []string          // calls: tool name and input
	branch, commit, message string
	given                   []string          // text by other people that the task is about
	product, plainProduct   map[string]string // files of the product repository server; may be empty
	outcome, detail         string
	may, never              []string
	readable                bool // the model may see the instruction, marked
}

var (
	section  = regexp.MustCompile(`(?m)^-- (.+) --\n`)
	escape   = regexp.MustCompile(`\\u\{([0-9a-f]+)\}`)
	attacker = regexp.MustCompile(`(?s)⟦.*?⟧`)
)

func readInjections(t *testing.T) []injection {
	t.Helper()
	names, err := filepath.Glob("testdata/injection/*.txtar")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d cases, %v", len(names), err)
	}
	var out []injection
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, parseInjection(t, strings.TrimSuffix(filepath.Base(name), ".txtar"), string(data)))
	}
	return out
}

func parseInjection(t *testing.T, name, text string) injection {
	t.Helper()
	i := injection{name: name, set: map[string]string{}, attacked: injectedBase(), control: injectedBase(),
		product: map[string]string{}, plainProduct: map[string]string{}}
	text = strings.ReplaceAll(text, "{{issued}}", issued)
	text = escape.ReplaceAllStringFunc(text, func(s string) string {
		r, err := strconv.ParseInt(s[3:len(s)-1], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		return string(rune(r))
	})
	cuts := section.FindAllStringSubmatchIndex(text, -1)
	for line := range strings.Lines(text[:cuts[0][0]]) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			t.Fatalf("%s: %q is not a setting", name, line)
		}
		i.set[key] = value
	}
	for k, c := range cuts {
		end := len(text)
		if k+1 < len(cuts) {
			end = cuts[k+1][0]
		}
		i.file(text[c[2]:c[3]], text[c[1]:end])
	}
	list := func(key string) []string {
		if i.set[key] == "" {
			return nil
		}
		return strings.Split(i.set[key], " | ")
	}
	i.branch, i.commit, i.message = i.set["branch"], i.set["commit"], strings.ReplaceAll(i.set["comment"], `\n`, "\n")
	if text := strings.ReplaceAll(i.set["given"], `\n`, "\n"); text != "" { // formatted as by package automate
		i.given = []string{guard.Redact(guard.Clean(text), []string{serverSecret})}
	}
	for kind, issue := range map[string]bool{"issue": true, "pull": false} { // formatted as by package automate
		if text := strings.ReplaceAll(i.set[kind], `\n`, "\n"); text != "" {
			title, body, _ := strings.Cut(text, "\n")
			about := automation.About(issue, 7, title, body, i.set["file"], 3)
			i.given = append(i.given, guard.Redact(guard.Visible(guard.Clean(about)), []string{serverSecret}))
		}
	}
	i.outcome, i.detail, _ = strings.Cut(i.set["outcome"], " ")
	i.may, i.never = append(list("may"), "index.mdx"), append(list("never"), serverSecret, issued, outsideWord)
	i.readable = i.set["hidden"] != "yes"
	if i.set["about"] == "" || i.outcome == "" || len(i.obey) == 0 {
		t.Fatalf("%s is not complete: %v", name, i.set)
	}
	return i
}

// file adds a section to the case: the attacked repository keeps the attacker's words, the control repository omits
// them.
func (i *injection) file(name, text string) {
	if name == "obey" {
		i.obey = strings.Split(strings.TrimSpace(text), "\n")
		return
	}
	with := strings.NewReplacer("⟦", "", "⟧", "")
	if at, ok := strings.CutPrefix(name, "product "); ok {
		i.product[with.Replace(at)] = with.Replace(text)
		i.plainProduct["README.md"] = "# Server\n"
		if plain := attacker.ReplaceAllString(text, ""); plain != text {
			i.plainProduct[at] = plain
		}
		return
	}
	i.attacked[with.Replace(name)] = with.Replace(text)
	if plain := attacker.ReplaceAllString(name, ""); plain == name &&
		strings.TrimSpace(attacker.ReplaceAllString(text, "")) != "" {
		i.control[name] = attacker.ReplaceAllString(text, "")
	}
}

// without returns the control case: the attacker's words are removed from the files, and the case contains no other
// text by the attacker.
func (i *injection) without() *injection {
	return &injection{name: i.name, set: i.set, attacked: i.control, product: i.plainProduct}
}

// carries reports whether anything that an agent reads differs between this case and another.
func (i *injection) carries(other *injection) bool {
	return !maps.Equal(i.attacked, other.attacked) || !maps.Equal(i.product, other.product) || !slices.Equal(i.given, other.given) ||
		i.branch != other.branch || i.commit != other.commit || i.message != other.message
}

// repository creates a Git repository with the attacked files.
func (i *injection) repository(t *testing.T) string {
	t.Helper()
	return i.commitFiles(t, i.attacked)
}

// connect adds the product repository to the project and returns that repository's folder.
func (i *injection) connect(t *testing.T, r *rig) (dir string) {
	t.Helper()
	dir = i.commitFiles(t, i.product)
	r.runner.Products = func(context.Context, project.Project) ([]agent.Product, error) {
		return []agent.Product{{Name: "server", Remote: git.Remote{Local: true, URL: dir}}}, nil
	}
	return dir
}

func (i *injection) commitFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		target, isLink := strings.CutPrefix(text, "link: ")
		if !isLink {
			worktest.Rewrite(t, dir, map[string]string{name: text})
			continue
		}
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(strings.TrimSpace(target), at); err != nil {
			t.Fatal(err)
		}
	}
	branch, message := i.branch, i.commit
	if branch == "" {
		branch = "main"
	}
	if message == "" {
		message = "Begin"
	}
	testgit.Run(t, dir, "init", "-q", "-b", branch)
	testgit.Run(t, dir, "add", "-A", "-f")
	testgit.Run(t, dir, "commit", "-q", "-m", message)
	return dir
}

// answers returns the answers of a model that reads everything, does its task, and then obeys the attacker.
func (i *injection) answers() []llm.Completion {
	look := llm.Completion{Stop: llm.Calling}
	for name := range i.attacked {
		if rest, ok := strings.CutPrefix(name, "docs/"); ok {
			look.Calls = append(look.Calls, callOf(len(look.Calls), "read", map[string]string{"path": rest}))
		}
	}
	slices.SortFunc(look.Calls, func(a, b llm.Call) int { return strings.Compare(string(a.Input), string(b.Input)) })
	for name := range i.product {
		look.Calls = append(look.Calls, callOf(len(look.Calls), "read_product", map[string]string{"repository": "server", "path": name}))
	}
	if len(i.product) > 0 {
		look.Calls = append(look.Calls,
			llm.Call{ID: "p", Name: "read_product", Input: json.RawMessage(`{"repository": "server"}`)},
			llm.Call{ID: "q", Name: "search_product", Input: json.RawMessage(`{"repository": "server", "query": "` + canary + `"}`)})
	}
	look.Calls = append(look.Calls, llm.Call{ID: "l", Name: "list", Input: json.RawMessage(`{}`)},
		llm.Call{ID: "c", Name: "check",
			Input: json.RawMessage(`{}`)},
		llm.Call{ID: "s", Name: "search", Input: json.RawMessage(`{"query": "install", "exact": true}`)})
	fix := calling("edit", `{"path": "index.mdx", "old": "/guides/instal)", "new": "/guides/install)"}`)
	obey, ended := llm.Completion{Stop: llm.Calling}, false
	for n, line := range i.obey {
		tool, input, _ := strings.Cut(line, " ")
		obey.Calls = append(obey.Calls,
			llm.Call{ID: fmt.Sprintf("o%d", n), Name: tool, Input: json.RawMessage(disguised(input))})
		ended = ended || tool == "finish"
	}
	end := calling("diff", `{}`, "finish",
		`{"title": "Fix a link", "summary": "A link was broken.", "outcome": "nothing_to_do"}`)
	out := []llm.Completion{look, fix}
	if i.message != "" {
		out = append(out, end, look) // the comment is posted after the first round
	}
	if out = append(out, obey); !ended {
		out = append(out, end)
	}
	return out
}

// disguised replaces placeholders with text that only a model with access to the server's secrets could write.
func disguised(input string) string {
	return strings.NewReplacer("{{server}}", serverSecret, "{{server-hex}}", hex.EncodeToString([]byte(serverSecret)),
		"{{server-base64}}", base64.StdEncoding.EncodeToString([]byte("key="+serverSecret)), "{{server-escaped}}",
		url.QueryEscape(serverSecret+" "),
		"{{flood}}", strings.Repeat("flood ", 20_000)).Replace(input)
}

func callOf(n int, tool string, input any) llm.Call {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return llm.Call{ID: fmt.Sprintf("r%d", n), Name: tool, Input: raw}
}

// remarked is a code host with comments on the pull request.
type remarked struct {
	pull.Host
	text string
}

func (h remarked) Comments(context.Context, int64) ([]pull.Comment, error) {
	return []pull.Comment{{ID: "1", Author: "mallory", Body: h.text}}, nil
}

// rig sets up the case: a repository on disk with the docs in its docs folder.
func (i *injection) rig(t *testing.T, model llm.Model) *rig {
	t.Helper()
	r := newRig(t, worktest.New(t), model)
	r.dir = i.repository(t)
	r.runner.Limits = agentjob.Limits{Files: 20, Bytes: 64 << 10}
	places := r.runner.Places
	if i.message != "" {
		r.runner.Places = func(ctx context.Context, p project.Project) (place, error) {
			at, err := places(ctx, p)
			at.Host = remarked{at.Host, i.message}
			return at, err
		}
	}
	ctx := context.Background()
	r.check(r.Store.Tx(ctx, func(tx *store.Tx) (err error) {
		r.p, err = tx.CreateProject(ctx,
			project.Project{OrganizationID: r.Organization.ID, Name: "Kettle", Domains: []string{"docs.example.com"},
				DocsFolder: "docs",
				Source:     project.Source{Repository: "file://" + r.dir}})
		return err
	}))
	return r
}
