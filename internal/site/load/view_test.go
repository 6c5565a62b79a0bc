package load

import (
	"context"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/foundation/reader"
)

func loadView(t *testing.T, site map[string]string, view reader.View) *Loaded {
	t.Helper()
	l, list, err := Load(context.Background(), files(site), Options{Workers: 2, View: view})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list)
	}
	return l
}

func TestNearestEntryDecidesWhetherAPageIsPublic(t *testing.T) {
	l := loadView(t, map[string]string{
		"docs.json": `{"name": "x", "navigation": {"tabs": [
			{"tab": "A", "public": true, "groups": [
				{"group": "g", "pages": ["near", "own-false", "own-groups", "folder", {"group": "closed", "public": false, "pages": ["closed", "own-true"]}]},
				{"group": "twice", "pages": ["twice", "both"]}]},
			{"tab": "B", "groups": [{"group": "h", "pages": ["twice", "far", {"group": "open", "public": true, "root": "root", "pages": ["both"]}]}]}]}}`,
		"near.mdx": "x", "own-false.mdx": "---\npublic: false\n---\n", "own-groups.mdx": "---\ngroups: [a]\n---\n",
		"folder/index.mdx": "x", "closed.mdx": "x", "own-true.mdx": "---\npublic: true\n---\n", "twice.mdx": "x", "both.mdx": "x",
		"far.mdx": "x", "root.mdx": "x", "unlisted.mdx": "x",
	}, reader.View{Anonymous: true})
	if got := strings.Join(paths(l.Site), " "); got != "both folder/index near own-true root" {
		t.Errorf("public pages: %s", got)
	}
}

func TestFilesAreWithheldWithTheirPages(t *testing.T) {
	site := map[string]string{
		"docs.json":         `{"name": "x", "logo": "/img/logo.png", "navigation": ["index", "guide/a", "team/b", "guide/c"]}`,
		"index.mdx":         "![a](img/shared.png) <img src=\"https://docs.example.com/img/absolute%20name.png?x#y\" />",
		"guide/a.mdx":       "import P from '/snippets/open.mdx'\n\n![a](../img/relative.png)\n\n`/img/quoted.png`",
		"guide/c.mdx":       "---\ngroups: [a]\n---\n![a](../img/only.png) ![b](/img/shared.png) ![c](/img/relative.png) ![d](/img/logo.png) ![e](/img/part.png)\n\nimport P from '../snippets/closed.mdx'\n\n[x](/img/absolute%20name.png) \"stem\" unused /other/same.png <Snippet file=\"old.mdx\" />",
		"team/b.mdx":        "---\ngroups: [a]\n---\n",
		"snippets/open.mdx": "![p](/img/part.png)", "snippets/closed.mdx": "![p](/img/closed-part.png)",
		"snippets/old.mdx": "![p](/img/old-part.png)",
		"style.css":        "body { background: url(/img/style.png) }",
	}
	for _, name := range []string{"img/shared.png", "img/absolute name.png", "img/relative.png", "img/only.png", "img/logo.png",
		"img/part.png", "img/closed-part.png", "img/old-part.png", "img/stem.png", "img/unused.png", "img/same.png", "other/same.png", "team/b/plan.pdf",
		"guide/free.pdf", "img/style.png", "guide/c/own.json", "guide/a/own.json"} {
		site[name] = "x"
	}
	if got := strings.Join(loadView(t, site, reader.View{}).WithheldFiles, " "); got !=
		"guide/c/own.json img/closed-part.png img/old-part.png img/only.png img/same.png img/stem.png other/same.png team/b/plan.pdf" {
		t.Errorf("withheld: %s", got)
	}
	if got := loadView(t, site, reader.New("a")).WithheldFiles; len(got) > 0 {
		t.Errorf("withheld from the group: %s", got)
	}
	l := loadView(t, site, reader.View{Anonymous: true})
	var kept []string
	for _, a := range l.Site.Assets {
		kept = append(kept, a.Path)
	}
	if got := strings.Join(kept, " "); got != "img/logo.png img/style.png" {
		t.Errorf("readers who have not signed in get: %s", got)
	}
}
