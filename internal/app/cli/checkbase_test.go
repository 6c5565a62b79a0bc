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

// change writes files of the docs folder; "" removes one.
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

// check runs the check against the commit before the last one.
func (s *gitSite) check(args ...string) runResult {
	s.t.Helper()
	return invoke(s.t, append([]string{"check", s.dir, "--no-cache", "--base", "HEAD~1"}, args...)...)
}

// printed fails unless every text stands in standard output.
func (a runResult) printed(t *testing.T, texts ...string) runResult {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(a.stdout, text) {
			t.Errorf("standard output lacks %q:\n%s", text, a.stdout)
		}
	}
	return a
}

// quiet fails if anything stands in standard output.
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

// baseFiles are a site without a navigation entry for each page: every page is published.
func baseFiles() map[string]string {
	return map[string]string{
		"docs.json":         `{"name": "S", "navigation": {"pages": ["index", "guides/start", "guides/deploy"]}}`,
		"index.mdx":         page("Welcome"),
		"guides/start.mdx":  page("Start", "## First step", "Do it.", "## Second step", "Do it again."),
		"guides/deploy.mdx": page("Deploy", "## Servers", "Many.", "## Costs", "Few."),
	}
}

func TestCheckAgainstItsOwnStateReportsNothing(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	s.commit("Nothing", nil)
	s.check("--strict").want(t, 0, "no page was added, removed or moved", "3 pages, 0 errors, 0 warnings").quiet(t)
}

func TestCheckReportsAnAddressThatARemovedPageLeaves(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	id := s.commit("Drop \"deploy\"", map[string]string{"guides/deploy.mdx": "",
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start"]}}`})
	s.check().want(t, 1, "0 added, 1 removed, 0 moved", "removed  /guides/deploy").
		printed(t, `docs.json:1:1: error: The address "/guides/deploy" of guides/deploy.mdx was published`,
			`Removed by commit `+id+` "Drop \"deploy\"". [lost-address]`,
			`{ "source": "/guides/deploy", "destination": "/guides" }`)
}

func TestCheckSuggestsTheRedirectOfAMovedPage(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	moved := map[string]string{"guides/deploy.mdx": "", "run/deploy.mdx": baseFiles()["guides/deploy.mdx"],
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start", "run/deploy"]}}`}
	s.commit("Move", moved)
	s.check().want(t, 1, "0 added, 0 removed, 1 moved", "/guides/deploy → /run/deploy").
		printed(t, `{ "source": "/guides/deploy", "destination": "/run/deploy" }`)

	s.change(map[string]string{"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start", "run/deploy"]},
		"redirects": [{"source": "/guides/deploy", "destination": "/run/deploy"}]}`})
	s.check("--strict").want(t, 0, "1 moved").quiet(t)

	// nearly the same text is the same page, and the change need not be committed
	s.change(map[string]string{"run/deploy.mdx": page("Deploy", "## Servers", "Many, or one.", "## Costs", "Few."),
		"docs.json": moved["docs.json"]})
	s.check().want(t, 1, "/guides/deploy → /run/deploy")
}

func TestCheckAcceptsAWildcardRedirectAndSuggestsOneForAFolder(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	files := map[string]string{"guides/deploy.mdx": "", "guides/start.mdx": "",
		"learn/deploy.mdx": baseFiles()["guides/deploy.mdx"], "learn/start.mdx": baseFiles()["guides/start.mdx"],
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "learn/start", "learn/deploy"]}}`}
	s.commit("Move the folder", files)
	s.check().want(t, 1, "2 moved").printed(t, `{ "source": "/guides/:slug*", "destination": "/learn/:slug*" }`)
	s.change(map[string]string{"docs.json": `{"name": "S", "navigation": {"pages": ["index", "learn/start", "learn/deploy"]},
		"redirects": [{"source": "/guides/:slug*", "destination": "/learn/:slug*"}]}`})
	s.check("--strict").want(t, 0, "2 moved").quiet(t)

	// the redirect is an address of its own from now on
	s.commit("Redirect", nil)
	id := s.commit("Forget it", map[string]string{"docs.json": files["docs.json"]})
	s.check().want(t, 1, "no page was added").printed(t, `The redirect from "/guides/:slug*" was published`, id)
}

func TestCheckReportsARedirectThatNoLongerLeadsAnywhere(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	with := `{"name": "S", "navigation": {"pages": ["index", "guides/start", "guides/deploy"]},
		"redirects": [{"source": "/old", "destination": "/guides/deploy"}]}`
	files["docs.json"] = with
	s := newGitSite(t, files)
	id := s.commit("Tidy redirects", map[string]string{"docs.json": baseFiles()["docs.json"]})
	s.check().want(t, 1).printed(t, `The redirect from "/old" was published`, `Removed by commit `+id,
		`{ "source": "/old", "destination": "/guides/deploy" }`)
	// neither does one whose page is gone
	s.commit("Back", map[string]string{"docs.json": with})
	s.commit("Drop", map[string]string{"guides/deploy.mdx": ""})
	s.check().want(t, 1).printed(t, `The redirect from "/old" was published`, `The address "/guides/deploy"`)
}

func TestCheckComparesAddressesOfLanguagesAndVersions(t *testing.T) {
	t.Parallel()
	nav := func(v2 string) string {
		return `{"name": "S", "navigation": {"languages": [
			{"language": "en", "versions": [
				{"version": "v2", "pages": [` + v2 + `]}, {"version": "v1", "pages": ["v1/start"]}]},
			{"language": "fr", "pages": ["fr/start"]}]}}`
	}
	files := map[string]string{"docs.json": nav(`"index", "start"`), "index.mdx": page("Home"), "start.mdx": page("Start"),
		"v1/start.mdx": page("Old start"), "fr/start.mdx": page("Depart")}
	s := newGitSite(t, files)
	s.commit("Lose two", map[string]string{"fr/start.mdx": "", "v1/start.mdx": "", "fr/debut.mdx": page("Depart")})
	s.check().want(t, 1).printed(t, `{ "source": "/fr/start", "destination": "/fr/debut" }`,
		`{ "source": "/v1/start", "destination": "/start" }`)
}

func TestCheckIgnoresARenamedGroup(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["docs.json"] = `{"name": "S", "navigation": {"groups": [{"group": "Guides", "pages": ["index", "guides/start",
		"guides/deploy"]}]}}`
	s := newGitSite(t, files)
	s.commit("Rename the group", map[string]string{
		"docs.json": strings.Replace(files["docs.json"], `"Guides"`, `"Learn"`, 1)})
	s.check("--strict").want(t, 0, "no page was added, removed or moved").quiet(t)
}

func TestCheckFailsOnNewFindingsOnly(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["index.mdx"] = page("Welcome", "See [it](/nowhere).")
	files["guides/start.mdx"] = "---\ntitle: [Start\n---\n"
	s := newGitSite(t, files)
	s.commit("Move the link to another line", map[string]string{"index.mdx": page("Welcome", "More.", "See [it](/nowhere).")})
	s.check("--strict").want(t, 0, "(2 findings not shown: the base has them too)").quiet(t)
	s.check("--strict", "--all").want(t, 0, "1 error").printed(t, "[broken-link]", "[front-matter-syntax]")
	s.change(map[string]string{"index.mdx": page("Welcome", "See [it](/nowhere).", "See [it](/nowhere) and [that](/gone).")})
	s.check().want(t, 0, "2 warnings").printed(t, `"/gone"`, `"/nowhere"`)
	s.check("--strict").want(t, 1)
}

func TestCheckComparesWithTheCommonCommit(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	s.git("checkout", "-q", "-b", "topic")
	s.commit("Mine", map[string]string{"index.mdx": page("Welcome", "Mine.")})
	s.git("checkout", "-q", "main")
	s.commit("Theirs", map[string]string{"guides/theirs.mdx": page("Theirs")})
	s.git("checkout", "-q", "topic")
	invoke(t, "check", s.dir, "--no-cache", "--base", "main").want(t, 0, "no page was added, removed or moved").quiet(t)
}

func TestCheckExplainsABaseThatIsNotThere(t *testing.T) {
	t.Parallel()
	invoke(t, "check", smallSite(t), "--base", "main").want(t, 2, "is not in a Git repository", "leave out --base")
	s := newGitSite(t, baseFiles())
	s.commit("Second", nil)
	s.check("--base", "nonsense").want(t, 2, `The commit "nonsense" is not in this repository.`, "Pass a branch")
	s.check("--base", "--all").want(t, 2)
	clone := filepath.Join(t.TempDir(), "clone")
	s.git("clone", "-q", "--depth=1", "file://"+s.root, clone)
	invoke(t, "check", filepath.Join(clone, "docs"), "--base", "main~1").
		want(t, 2, "This clone is shallow.", "git fetch --depth=1 origin main~1", "fetch-depth: 0")
	invoke(t, "check", filepath.Join(clone, "docs"), "--base", "v1").want(t, 2, "git fetch --depth=1 origin v1")
	full := filepath.Join(t.TempDir(), "full")
	s.git("branch", "release")
	s.git("clone", "-q", "file://"+s.root, full)
	invoke(t, "check", filepath.Join(full, "docs"), "--base", "release").want(t, 2, `Did you mean "origin/release"?`)
}

func TestCheckTakesAFolderThatTheBaseLacksAsNew(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, map[string]string{"../README": "x"})
	s.commit("Docs", baseFiles())
	s.check("--strict").want(t, 0, "3 added, 0 removed, 0 moved").quiet(t)
}

func TestCheckFindsAddressesOfTheWholeHistory(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	// a page of its own branch, removed by the merge
	s.git("checkout", "-q", "-b", "topic")
	s.commit("Drop deploy", map[string]string{"guides/deploy.mdx": ""})
	s.git("checkout", "-q", "main")
	s.git("merge", "-q", "--no-ff", "-m", "Merge the cleanup", "topic")
	merge := s.git("rev-parse", "HEAD")[:10]
	with := strings.Replace(baseFiles()["docs.json"], `"navigation"`,
		`"redirects": [{"source": "/begin", "destination": "/guides/start"}, {"source": "/never", "destination": "/x"}], "navigation"`, 1)
	s.commit("Redirect", map[string]string{"docs.json": with, "snippets/part.mdx": "Part.", "moved.mdx": page("Moved")})
	gone := s.commit("Drop redirects", map[string]string{"docs.json": baseFiles()["docs.json"], "snippets/part.mdx": ""})
	s.commit("Move", map[string]string{"moved.mdx": "", "elsewhere.mdx": page("Moved"), "docs.json": strings.Replace(with,
		"/begin", "/moved", 1)})
	s.commit("Nothing", nil)

	s.check().want(t, 0).quiet(t)
	got := s.check("--history").want(t, 1, "History: read 4 commits").printed(t,
		`The address "/guides/deploy" of guides/deploy.mdx was published`,
		`Removed by commit `+merge+` "Merge the cleanup". [lost-address]`,
		`The redirect from "/begin" was published`, `Removed by commit `+gone,
		`{ "source": "/begin", "destination": "/guides/start" }`)
	if n := strings.Count(got.stdout, "[lost-address]"); n != 2 {
		t.Errorf("%d addresses, want 2:\n%s", n, got.stdout)
	}
	invoke(t, "check", s.dir, "--history").want(t, 2, "--history needs --base.")
}

func TestCheckReportsHeadingsThatLostTheirID(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["index.mdx"] = page("Welcome", "See [costs](/guides/deploy#costs).")
	s := newGitSite(t, files)
	s.commit("Rename headings", map[string]string{
		"guides/deploy.mdx": page("Deploy", "## Hosts", "Many.", "## Prices", "Few."),
		"guides/start.mdx":  page("Start", "## Step one {#first-step}", "Do it.", `<a id="second-step"></a>`, "Again."),
	})
	got := s.check().want(t, 0, "3 warnings").printed(t,
		`guides/deploy.mdx: warning: The page had a heading with the id "servers"`, `"/guides/deploy#costs"`, "[lost-anchor]",
		"[broken-anchor]")
	if strings.Contains(got.stdout, "step") {
		t.Errorf("ids that were kept are reported:\n%s", got.stdout)
	}
	s.commit("Move and rename", map[string]string{"guides/deploy.mdx": "",
		"run.mdx": page("Deploy", "## Hosts", "Many.", "## Cost", "Few.")})
	s.check().want(t, 1, "1 moved").printed(t, `run.mdx: warning: The page had a heading with the id "prices"`,
		"If the heading is now #cost, keep its id: ## Heading {#prices}")
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

func TestCheckReportsBreakingChangesOfAnAPI(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	files["api.yaml"] = petAPI
	files["docs.json"] = `{"name": "S", "navigation": {"groups": [{"group": "A", "pages": ["index"]},
		{"group": "API", "openapi": "api.yaml"}]}}`
	s := newGitSite(t, files)
	s.commit("Add only", map[string]string{"api.yaml": strings.NewReplacer("            mail: {type: string}",
		"            mail: {type: string}\n            phone: {type: string}", "summary: List", "description: D\n      summary: List",
	).Replace(petAPI)})
	s.check("--strict").want(t, 0, "no page was added").quiet(t)

	s.git("reset", "-q", "--hard", "HEAD~1")
	api := strings.NewReplacer("            mail: {type: string}", "            phone: {type: string}",
		"required: [name]", "required: [name, tag]",
		"- {name: limit, in: query, schema: {type: integer}}", "- {name: limit, in: query, required: true, schema: {type: integer}}",
		"        - {name: sort, in: query, schema: {type: string}}\n", "").Replace(petAPI)
	api = api[:strings.Index(api, "  /pets/{id}:")] + api[strings.Index(api, "components:"):]
	s.commit("Break it", map[string]string{"api.yaml": api})
	got := s.check("--all").want(t, 1).printed(t,
		"api.yaml: warning: The operation DELETE /pets/{id} was published and is gone. [api-operation-removed]",
		`GET /pets: the query parameter "sort" is gone. [api-parameter-removed]`,
		`GET /pets: the query parameter "limit" is required now. [api-required-added]`,
		`GET /pets: the field "[].owner.mail" of the response 200 is gone. [api-response-removed]`,
		`POST /pets: the request field "owner.mail" is gone. [api-parameter-removed]`,
		`POST /pets: the request field "tag" is required now. [api-required-added]`,
		"[lost-address]") // of the page of the operation
	if n := strings.Count(got.stdout, "[api-"); n != 6 {
		t.Errorf("%d findings about the API, want 6:\n%s", n, got.stdout)
	}
	if !strings.Contains(got.stdout, "api.yaml:8:") {
		t.Errorf("a finding lacks its place:\n%s", got.stdout)
	}
}

func TestCheckReportsAPageThatSearchNoLongerFindsByItsTitle(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	s := newGitSite(t, files)
	more := map[string]string{}
	pages := `"index", "guides/start", "guides/deploy"`
	for _, name := range []string{"a", "b", "c", "d"} {
		more["deploy-"+name+".mdx"] = "---\ntitle: Deploy deploy " + name + "\nkeywords: [deploy]\nboost: 50\n---\n\n" +
			strings.Repeat("Deploy. ", 40) + "\n"
		pages += `, "deploy-` + name + `"`
	}
	more["docs.json"] = `{"name": "S", "navigation": {"pages": [` + pages + `]}}`
	s.commit("Crowd", more)
	s.check().want(t, 0, "4 added").printed(t, "guides/deploy.mdx: warning: Readers who searched for the title \"Deploy\"",
		"[search-rank-lost]")
}

func TestCheckWritesChangesAsJSONAndMarkdown(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	s.commit("Drop for @team, see #12 <b>`x`</b>", map[string]string{"guides/deploy.mdx": "", "new.mdx": page("New"),
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start"]}}`})
	s.check("--json").want(t, 1).printed(t, `"code":"lost-address"`,
		`{"change":"added","address":"/new","file":"new.mdx"}`,
		`{"change":"removed","address":"/guides/deploy","file":"guides/deploy.mdx"}`)
	got := s.check("--markdown", "-").want(t, 1).printed(t, "### Docs check: 1 error, 0 warnings", "- **error** `docs.json:1:1`",
		"`lost-address`", "&lt;b&gt;\\`x\\`&lt;/b&gt;", "- removed `/guides/deploy`",
		"<br>`Add to \"redirects\" in docs.json: { \"source\": \"/guides/deploy\", \"destination\": \"/guides\" }`")
	if strings.Contains(got.stdout, "@team") || strings.Contains(got.stdout, "#12") || got.stderr != "" {
		t.Errorf("a commit can mention people and issues:\n%s%s", got.stdout, got.stderr)
	}
	file := filepath.Join(t.TempDir(), "c.md")
	s.check("--markdown", file, "--sarif", file+".sarif").want(t, 1, "1 error").printed(t, "[lost-address]")
	if read(t, file) != got.stdout || !strings.Contains(read(t, file+".sarif"), `"ruleId": "lost-address"`) {
		t.Error("the files differ from what is printed")
	}
	s.check("--markdown", "-", "--json").want(t, 2, "write to standard output")
}

func TestCodeSpansCannotBeLeft(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"a": "`a`", "a`b": "``a`b``", "`a": "`` `a ``", "a\nb": "`a b`"} {
		if got := codeSpan(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestCheckOfOurOwnDocsAgainstThemselvesReportsNothing(t *testing.T) {
	t.Parallel()
	s := &gitSite{t: t, root: t.TempDir()}
	s.dir = filepath.Join(s.root, "docs")
	if err := os.CopyFS(s.dir, os.DirFS("../../../docs")); err != nil {
		t.Fatal(err)
	}
	s.git("init", "-q", "-b", "main")
	s.commit("Docs", nil)
	// one more word, so that the search indexes differ and ranks are compared
	name := filepath.Join(s.dir, "guides", "check.mdx")
	if err := os.WriteFile(name, []byte(read(t, name)+"\nZephyr.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	invoke(t, "check", s.dir, "--cache", t.TempDir(), "--base", "HEAD", "--strict").
		want(t, 0, "no page was added, removed or moved", "0 errors, 0 warnings").quiet(t)
}
