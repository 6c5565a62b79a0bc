package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

func TestExportHasWhatReadersInItsGroupsSee(t *testing.T) {
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
