package build

import (
	"bytes"
	"context"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/site/output"
)

// kept is a sink that holds every file.
type kept map[string]output.File

func (k kept) Put(_ context.Context, f output.File) error {
	k[f.Path] = f
	return nil
}

func cardSite(config string) fstest.MapFS {
	return fstest.MapFS{
		"docs.json":  {Data: []byte(config)},
		"index.mdx":  {Data: []byte("---\ntitle: Home\ndescription: First.\n---\n\nText.\n")},
		"a/b.mdx":    {Data: []byte("---\ntitle: Inner\n---\n\nText of it.\n")},
		"own.mdx":    {Data: []byte("---\ntitle: Own\n\"og:image\": https://x.test/own.png\n---\n\nText.\n")},
		"closed.mdx": {Data: []byte("---\ntitle: Closed\ngroups: [staff]\n---\n\nText.\n")},
	}
}

const cardConfig = `{"name":"Acme","theme":"mint","colors":{"primary":"#0F766E"},"navigation":{"groups":[{"group":"Start","pages":["index","a/b","own","closed"]}]}`

// C7: a restricted page has no card, which would show its title to everyone.
func TestPagesLinkTheirCards(t *testing.T) {
	files := kept{}
	if _, err := Build(t.Context(), cardSite(cardConfig+"}"),
		Options{BaseURL: "https://docs.example.com", Links: link.Clean, Cards: true}, files); err != nil {
		t.Fatal(err)
	}
	for page, card := range map[string]string{"index.html": "_lectern/card/index.png",
		"a/b.html": "_lectern/card/a/b.png"} {
		if !strings.Contains(string(files[page].Data),
			`property="og:image" content="https://docs.example.com/`+card+`"`) {
			t.Errorf("%s does not link to its card", page)
		}
		if _, err := png.Decode(bytes.NewReader(files[card].Data)); err != nil ||
			files[card].ContentType != "image/png" {
			t.Errorf("%s: %v", card, err)
		}
	}
	own := string(files["own.html"].Data)
	if !strings.Contains(own, "https://x.test/own.png") || strings.Contains(own, "_lectern/card") ||
		files["_lectern/card/own.png"].Data != nil {
		t.Error("a page with its own preview image has a card")
	}
	if files["_lectern/card/closed.png"].Data != nil ||
		strings.Contains(string(files["closed.html"].Data), "_lectern/card") {
		t.Error("a restricted page has a card")
	}
}

func TestCardsRequireBaseURLAndNoSiteImage(t *testing.T) {
	for name, c := range map[string]struct {
		config, base string
		cards        bool
	}{
		"no origin":     {cardConfig + "}", "", true},
		"not asked for": {cardConfig + "}", "https://docs.example.com", false},
		"own picture": {cardConfig + `,"seo":{"metatags":{"og:image":"https://x.test/all.png"}}}`,
			"https://docs.example.com", true},
	} {
		files := kept{}
		if _, err := Build(t.Context(), cardSite(c.config), Options{BaseURL: c.base, Links: link.Clean, Cards: c.cards},
			files); err != nil {
			t.Fatal(err)
		}
		for f := range files {
			if strings.HasPrefix(f, cardFolder) {
				t.Errorf("%s: %s", name, f)
			}
		}
	}
}

// The tree, cards included, does not depend on the number of workers.
func TestCardsDoNotDependOnNumberOfWorkers(t *testing.T) {
	hash := ""
	for _, workers := range []int{1, 2, 7} {
		r, err := Build(t.Context(), cardSite(cardConfig+"}"),
			Options{BaseURL: "https://docs.example.com", Links: link.Clean, Cards: true, Workers: workers}, kept{})
		if err != nil {
			t.Fatal(err)
		}
		if hash == "" {
			hash = r.TreeHash
		}
		if r.TreeHash != hash {
			t.Errorf("%d workers: %s, want %s", workers, r.TreeHash, hash)
		}
	}
}

func TestUnusableCardBackgroundsAreReported(t *testing.T) {
	src := cardSite(cardConfig + `,"thumbnails":{"background":"/bg.svg"}}`)
	src["bg.svg"] = &fstest.MapFile{Data: []byte("<svg xmlns='http://www.w3.org/2000/svg'/>")}
	files := kept{}
	r, err := Build(t.Context(), src, Options{BaseURL: "https://docs.example.com", Links: link.Clean, Cards: true},
		files)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, d := range r.Diagnostics {
		found = found || d.Code == "card-background"
	}
	if !found || files["_lectern/card/index.png"].Data == nil {
		t.Errorf("findings %v", r.Diagnostics)
	}
}

// C5: author style sheets load only images from other hosts; author scripts are files of the site.
func TestAuthorFilesAreLinkedAfterOursOnEveryPage(t *testing.T) {
	src := cardSite(cardConfig + "}")
	src["style.css"] = &fstest.MapFile{
		Data: []byte("@import url(https://x.test/a.css);\n.a{background:url(https://x.test/p.png)}\n")}
	src["custom.js"] = &fstest.MapFile{Data: []byte("window.mine = 1;\n")}
	files := kept{}
	r, err := Build(t.Context(), src, Options{Links: link.Relative}, files)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(files["style.css"].Data); got != "\n.a{background:url(https://x.test/p.png)}\n" {
		t.Errorf("style sheet %q", got)
	}
	if got := string(files["custom.js"].Data); got != "window.mine = 1;\n" {
		t.Errorf("script %q", got)
	}
	for page, up := range map[string]string{"index.html": "", "a/b.html": "../"} {
		html := string(files[page].Data)
		ours, theirs := strings.Index(html, up+"_lectern/site."), strings.Index(html, `href="`+up+`style.css"`)
		if ours < 0 || theirs < ours {
			t.Errorf("%s: our sheet at %d, the author's at %d", page, ours, theirs)
		}
		if !strings.Contains(html, `<script defer src="`+up+`custom.js"`) {
			t.Errorf("%s has no author script", page)
		}
	}
	reported := false
	for _, d := range r.Diagnostics {
		reported = reported || d.Code == "css-foreign" && d.File == "style.css" && d.Line == 1
	}
	if !reported {
		t.Errorf("findings %v", r.Diagnostics)
	}
}
