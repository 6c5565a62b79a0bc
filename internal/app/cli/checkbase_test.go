package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckAgainstItsOwnStateReportsNothing(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	s.commit("Nothing", nil)
	s.check("--strict").want(t, 0, "no page was added, removed or moved", "3 pages, 0 errors, 0 warnings").quiet(t)
}

func TestCheckReportsAddressOfRemovedPage(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	id := s.commit("Drop \"deploy\"", map[string]string{"guides/deploy.mdx": "",
		"docs.json": `{"name": "S", "navigation": {"pages": ["index", "guides/start"]}}`})
	s.check().want(t, 1, "0 added, 1 removed, 0 moved", "removed  /guides/deploy").
		printed(t, `docs.json:1:1: error: The address "/guides/deploy" of guides/deploy.mdx was published`,
			`Removed by commit `+id+` "Drop \"deploy\"". [lost-address]`,
			`{ "source": "/guides/deploy", "destination": "/guides" }`)
}

func TestCheckSuggestsRedirectForMovedPage(t *testing.T) {
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

	// a page with nearly the same text counts as the same page, and the change need not be committed
	s.change(map[string]string{"run/deploy.mdx": page("Deploy", "## Servers", "Many, or one.", "## Costs", "Few."),
		"docs.json": moved["docs.json"]})
	s.check().want(t, 1, "/guides/deploy → /run/deploy")
}

func TestCheckAcceptsAndSuggestsWildcardRedirects(t *testing.T) {
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

	// once committed, the redirect counts as a published address
	s.commit("Redirect", nil)
	id := s.commit("Forget it", map[string]string{"docs.json": files["docs.json"]})
	s.check().want(t, 1, "no page was added").printed(t, `The redirect from "/guides/:slug*" was published`, id)
}

func TestCheckReportsRemovedOrBrokenRedirects(t *testing.T) {
	t.Parallel()
	files := baseFiles()
	with := `{"name": "S", "navigation": {"pages": ["index", "guides/start", "guides/deploy"]},
		"redirects": [{"source": "/old", "destination": "/guides/deploy"}]}`
	files["docs.json"] = with
	s := newGitSite(t, files)
	id := s.commit("Tidy redirects", map[string]string{"docs.json": baseFiles()["docs.json"]})
	s.check().want(t, 1).printed(t, `The redirect from "/old" was published`, `Removed by commit `+id,
		`{ "source": "/old", "destination": "/guides/deploy" }`)
	// a redirect to a page that no longer exists is reported too
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

func TestCheckReportsMissingBase(t *testing.T) {
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

func TestCheckTreatsFolderMissingFromBaseAsNew(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, map[string]string{"../README": "x"})
	s.commit("Docs", baseFiles())
	s.check("--strict").want(t, 0, "3 added, 0 removed, 0 moved").quiet(t)
}

func TestCheckFindsAddressesInWholeHistory(t *testing.T) {
	t.Parallel()
	s := newGitSite(t, baseFiles())
	// the page is removed on a branch that is then merged
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
