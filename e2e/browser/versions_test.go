package browser

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/deploy"
	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/jobs/publish"
	"github.com/lectern-docs/lectern/internal/serve/sitehost"
	"github.com/lectern-docs/lectern/internal/testkit/testgit"
	"github.com/lectern-docs/lectern/internal/testkit/worktest"
)

// The version menu loads its list when opened. It links to the same page in another version, or to the first page of a
// version that lacks it.
func TestVersionMenuFindsClosestPage(t *testing.T) {
	t.Parallel()
	b := worktest.New(t)
	dir := worktest.Write(t, map[string]string{
		"docs.json": `{"name":"T","theme":"mint","colors":{"primary":"#0055ff"},"gitVersions":{"tags":["v*"]},
			"navigation":{"pages":["index","guide","only"]}}`,
		"index.mdx": "---\ntitle: Home\n---\nHello.\n", "guide.mdx": "---\ntitle: Guide of one\n---\nHello.\n",
		"only.mdx": "---\ntitle: Only in one\n---\nHello.\n",
	})
	testgit.Run(t, dir, "init", "-q", "-b", "main")
	tag := func(name string) {
		testgit.Run(t, dir, "add", "-A")
		testgit.Run(t, dir, "commit", "-q", "-m", name)
		testgit.Run(t, dir, "tag", name)
	}
	tag("v1.0")
	testgit.Run(t, dir, "rm", "-q", "only.mdx")
	worktest.Rewrite(t, dir, map[string]string{"guide.mdx": "---\ntitle: Guide of two\n---\nHello.\n"})
	tag("v2.0")
	b.QueueDeployment(t, b.Project(t, "versions.localhost", project.Source{Repository: "file://" + dir, Branch: "main"}),
		deploy.Production, "")
	pub := &publish.Publisher{Store: b.Store, Blob: b.Blob, Source: b.Source, Scratch: b.Scratch,
		SiteURL: func(d string) string { return "http://" + d }, Lease: worktest.Lease, Now: b.Now}
	if err := pub.Run(t.Context(), b.Take(t)); err != nil {
		t.Fatal(err)
	}
	host := sitehost.New(sitehost.Options{Sites: b.Store, Blob: b.Blob, CacheBytes: 1 << 20, Now: b.Now,
		Logger: slog.New(slog.DiscardHandler)})
	s := httptest.NewServer(host.Route(http.NotFoundHandler(), func(h http.Handler) http.Handler { return h }))
	t.Cleanup(s.Close)
	p := openURL(t, strings.Replace(s.URL, "127.0.0.1", "versions.localhost", 1)+"/guide")
	const menu = ".navbar [data-versions]"
	choose := func(version string) {
		t.Helper()
		p.click(menu + " > summary")
		p.waitFor(`document.querySelectorAll("` + menu + ` a").length === 2`)
		p.click(menu + ` a[data-home$="` + version + `"]`)
	}
	p.expectEqual("version", p.text(menu+" > summary"), "v2.0")
	choose("/v1.0/")
	p.waitForHeading("Guide of one")
	p.expectEqual("address", p.path(), "/v1.0/guide")
	p.expectEqual("version", p.text(menu+" > summary"), "v1.0")
	p.follow(`.sidebar a[href="/v1.0/only"]`, "Only in one") // in the same document, so the menu must be updated
	p.checkConsole()
	choose(":" + s.URL[strings.LastIndexByte(s.URL, ':')+1:] + "/")
	p.waitForHeading("Home")
	p.expectEqual("address", p.path(), "/")
	p.expectEqual("version", p.text(menu+" > summary"), "v2.0")
	// an address that does not exist and resembles another host's
	p.visit(eval[string](p, `location.origin`) + "/https:evil.example/x")
	p.click(menu + " > summary")
	p.waitFor(`document.querySelectorAll("` + menu + ` a").length === 2`)
	if !eval[bool](p, `[...document.querySelectorAll("`+menu+` a")].every((a) => a.origin === location.origin)`) {
		t.Error("the menu links to another host")
	}
}
