package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitSite is a docs folder in a real Git repository.
type gitSite struct {
	t    *testing.T
	root string // of the repository
	dir  string // the docs folder, root/docs
}

// newGitSite commits a docs folder as "First" on the branch main.
func newGitSite(t *testing.T, files map[string]string) *gitSite {
	t.Helper()
	s := &gitSite{t: t, root: t.TempDir()}
	s.dir = filepath.Join(s.root, "docs")
	s.git("init", "-q", "-b", "main")
	s.commit("First", files)
	return s
}

func (s *gitSite) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A",
		"GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// change writes files in the docs folder; "" removes a file.
func (s *gitSite) change(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		name = filepath.Join(s.dir, filepath.FromSlash(name))
		if text == "" {
			if err := os.Remove(name); err != nil {
				s.t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// commit changes files and commits them. It returns the first characters of the commit's id.
func (s *gitSite) commit(subject string, files map[string]string) string {
	s.t.Helper()
	s.change(files)
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", subject)
	return s.git("rev-parse", "HEAD")[:10]
}

// check runs the check against the previous commit.
func (s *gitSite) check(args ...string) runResult {
	s.t.Helper()
	return invoke(s.t, append([]string{"check", s.dir, "--no-cache", "--base", "HEAD~1"}, args...)...)
}

// printed fails unless standard output contains every text.
func (a runResult) printed(t *testing.T, texts ...string) runResult {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.stdout, text) {
			t.Errorf("standard output lacks %q:\n%s", text, a.stdout)
		}
	}
	return a
}

// quiet fails if standard output is not empty.
func (a runResult) quiet(t *testing.T) runResult {
	t.Helper()
	if a.stdout != "" {
		t.Errorf("printed:\n%s", a.stdout)
	}
	return a
}

// page returns a page with enough text to recognize.
func page(title string, more ...string) string {
	return "---\ntitle: " + title + "\n---\n\nAll about " + title + " in one sentence.\n\nAnd " + title +
		" in another one.\n\n" + strings.Join(more, "\n\n") + "\n"
}

// baseFiles returns the files of a site in which every page is published.
func baseFiles() map[string]string {
	return map[string]string{
		"docs.json":         `{"name": "S", "navigation": {"pages": ["index", "guides/start", "guides/deploy"]}}`,
		"index.mdx":         page("Welcome"),
		"guides/start.mdx":  page("Start", "## First step", "Do it.", "## Second step", "Do it again."),
		"guides/deploy.mdx": page("Deploy", "## Servers", "Many.", "## Costs", "Few."),
	}
}

// petAPI is a description with one operation whose parts can be replaced.
const petAPI = `openapi: 3.0.3
info: {title: Pets, version: "1"}
paths:
  /pets:
    get:
      summary: List pets
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: sort, in: query, schema: {type: string}}
      responses:
        "200":
          description: All
          content:
            application/json:
              schema:
                type: array
                items: {$ref: "#/components/schemas/Pet"}
    post:
      summary: Add a pet
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/Pet"}
      responses:
        "201": {description: Added}
  /pets/{id}:
    delete:
      summary: Remove a pet
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        "204": {description: Removed}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string}
        tag: {type: string}
        owner:
          type: object
          properties:
            mail: {type: string}
        parent: {$ref: "#/components/schemas/Pet"}
`
