package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/diag"
)

// groupSite has pages for the groups a and b, one of them with a broken link.
func groupSite(t *testing.T) string {
	t.Helper()
	return write(t, map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index", "alpha", "beta"]}`,
		"index.mdx": "---\ntitle: Home\n---\n\nSee [alpha](/alpha).\n",
		"alpha.mdx": "---\ntitle: Alpha\ngroups: [a]\n---\n\n![x](/img/only.png) [gone](/gone)\n",
		"beta.mdx":  "---\ntitle: Beta\ngroups: [b]\n---\n\nBeta.\n", "img/only.png": "x",
	})
}

func TestExportContainsWhatItsGroupsMaySee(t *testing.T) {
	t.Parallel()
	dir, versions := groupSite(t), map[string]bool{}
	for groups, want := range map[string]string{"": "", "a": "alpha.html", "b,a": "alpha.html beta.html", "c": ""} {
		out := filepath.Join(t.TempDir(), "out")
		args := []string{"export", dir, "--out", out, "--no-cache"}
		if groups != "" {
			args = append(args, "--groups", groups)
		}
		invoke(t, args...).want(t, 0)
		var have []string
		for _, name := range []string{"alpha.html", "beta.html"} {
			if _, err := os.Stat(filepath.Join(out, name)); err == nil {
				have = append(have, name)
			}
		}
		if got := strings.Join(have, " "); got != want {
			t.Errorf("--groups %q wrote %q, want %q", groups, got, want)
		}
		if _, err := os.Stat(filepath.Join(out, "img/only.png")); (err == nil) != strings.Contains(groups, "a") {
			t.Errorf("--groups %q: the image of a page for a: %v", groups, err)
		}
		data, err := os.ReadFile(filepath.Join(out, "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Version string
			Groups  []string
		}
		if err := json.Unmarshal(data, &m); err != nil || versions[m.Version] ||
			strings.Join(m.Groups, ",") != map[string]string{"a": "a", "b,a": "a,b", "c": "c"}[groups] {
			t.Errorf("--groups %q: manifest %+v, %v", groups, m, err)
		}
		versions[m.Version] = true
	}
}

func TestCheckCoversPagesOfEveryGroup(t *testing.T) {
	t.Parallel()
	dir := groupSite(t)
	a := invoke(t, "check", dir).want(t, 0, "3 pages, 0 errors")
	for _, want := range []string{`"/alpha" exists, but these readers may not see it`, `"/gone"`, "[restricted-page]"} {
		if strings.Count(a.stdout, want) == 0 {
			t.Errorf("no finding with %s in %s", want, a.stdout)
		}
	}
	invoke(t, "check", dir, "--strict", "--ignore", "broken-link", "--ignore", "restricted-link").want(t, 0)
	if a := invoke(t, "check", dir, "--groups", "b").want(t, 0, "2 pages"); strings.Contains(a.stdout, "/gone") {
		t.Errorf("a page of another group was checked: %s", a.stdout)
	}
}

func TestBundleVerifyFindsRestrictedContent(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{
		"docs.json":       `{"name": "x", "navigation": {"groups": [{"group": "Start", "pages": ["index", "other"]}, {"group": "Zephyr programme", "pages": ["plans/alpha", "plans/beta"]}]}}`,
		"index.mdx":       "---\ntitle: Home\n---\n\nSee the other page about widgets and the meaning of everything.\n\n$x$\n",
		"other.mdx":       "---\ntitle: Other\n---\n\n<Accordion title=\"Widgets\">Text</Accordion>\n\n```mermaid\ngraph TD\n  A-->B\n```\n",
		"plans/alpha.mdx": "---\ntitle: The other meaning\ngroups: [a]\n---\n\nQuokkas everywhere. ![x](/img/only.png)\n",
		"plans/beta.mdx":  "---\ntitle: Beta\ngroups: [b]\n---\n\nMarmots sleep here.\n", "img/only.png": "the picture of a quokka",
	})
	bundle := func(groups string) string {
		out := filepath.Join(t.TempDir(), "out")
		invoke(t, "export", dir, "--out", out, "--no-cache", "--base-url", "https://docs.example.com", "--groups="+groups).want(t, 0)
		return out
	}
	none, alpha, both := bundle(""), bundle("a"), bundle("a,b")
	verify := func(bundle, groups string, code int, texts ...string) {
		t.Helper()
		a := invoke(t, "bundle", "verify", bundle, "--source", dir, "--groups="+groups, "--json")
		var report struct {
			Findings diag.List
			View     struct{ Pages, Files int }
		}
		if err := json.Unmarshal([]byte(a.stdout), &report); err != nil || a.code != code {
			t.Fatalf("%s for %q: exit code %d, %v\n%s%s", bundle, groups, a.code, err, a.stdout, a.stderr)
		}
		got := fmt.Sprintf("%d pages, %d files\n", report.View.Pages, report.View.Files)
		for _, d := range report.Findings {
			got += d.File + ": " + d.Message + "\n"
		}
		for _, want := range texts {
			if !strings.Contains(got, want) {
				t.Errorf("%s for %q: no %q in %s", bundle, groups, want, got)
			}
		}
	}
	verify(none, "", 0, "2 pages, 1 files")
	verify(alpha, "a", 0, "1 pages, 0 files")
	verify(both, "b,a", 0, "0 pages, 0 files")
	verify(alpha, "", 1, "manifest.json: The bundle is for readers in the group a, not",
		`plans/alpha.html: The file belongs to the page "plans/alpha"`, `plans/alpha.md: The file belongs`, `img/only.png: `,
		`index.html: The file contains "zephyr programme"`, `index.html: The file contains "the other meaning"`, `"quokkas"`, "_lectern/search")
	verify(both, "a", 1, `"marmots"`)
	// only the bytes of an image, under another name
	if err := os.WriteFile(filepath.Join(none, "picture.png"), []byte("the picture of a quokka"), 0o600); err != nil {
		t.Fatal(err)
	}
	verify(none, "", 1, `picture.png: The file has the content of "img/only.png"`)
	invoke(t, "bundle", "verify", alpha, "--groups", "a").want(t, 2, "--groups needs --source")
}

// A page whose groups cannot be parsed is visible to nobody, and no bundle may contain it.
func TestBundleVerifyFindsPagesThatNobodyMaySee(t *testing.T) {
	t.Parallel()
	site := map[string]string{
		"docs.json": `{"name": "x", "navigation": ["index", "nobody"]}`, "index.mdx": "---\ntitle: Home\n---\n\nHello.\n",
		"nobody.mdx": "---\ntitle: Plans\n---\n\nWe breed marmots.\n",
	}
	out := filepath.Join(t.TempDir(), "out.zip")
	invoke(t, "export", write(t, site), "--out", out, "--no-cache").want(t, 0)
	site["nobody.mdx"] = strings.Replace(site["nobody.mdx"], "---\n\n", "groups: {a: b}\n---\n\n", 1)
	dir := write(t, site)
	a := invoke(t, "bundle", "verify", out, "--source", dir).want(t, 1)
	if !strings.Contains(a.stdout, `the page "nobody"`) || !strings.Contains(a.stdout, `"marmots"`) {
		t.Error(a.stdout)
	}
	invoke(t, "export", dir, "--out", out, "--no-cache").want(t, 0)
	invoke(t, "bundle", "verify", out, "--source", dir).want(t, 0)
}
