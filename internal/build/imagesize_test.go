package build

import (
	"bytes"
	"image"
	"image/png"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// album returns a site with two images: one of 300 by 200 pixels, and a drawing of 40 by 10.
func album(t *testing.T, page string) fstest.MapFS {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 200))); err != nil {
		t.Fatal(err)
	}
	src := files(map[string]string{
		"docs.json": `{"name": "Album", "theme": "mint", "colors": {"primary": "#123456"}, "logo": {"light": "/img/a.svg", "dark": "/img/b.png"},
			"navigation": {"pages": ["a/page"]}, "banner": {"content": "![x](/img/a.svg)"}}`,
		"a/page.mdx":   "---\ntitle: P\n---\n\n" + page + "\n",
		"img/a.svg":    `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"/>`,
		"img/wide.svg": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"/>`,
		"img/text.png": "no picture",
	})
	src["img/b.png"] = &fstest.MapFile{Data: picture.Bytes()}
	return src
}

var tag = regexp.MustCompile(`<img[^>]*>`)

// Pages must not shift while they load: every image of the site has width and height.
func TestSiteImagesHaveWidthAndHeight(t *testing.T) {
	for name, c := range map[string]struct{ source, want string }{
		"Markdown":                {`![x](../img/b.png)`, `300x200`},
		"Markdown with a query":   {`![x](/img/b.png?v=2)`, `300x200`},
		"drawing":                 {`![x](/img/a.svg)`, `40x10`},
		"drawing of a whole line": {`![x](/img/wide.svg)`, `2560x1280`},
		"element":                 {`<img src="/img/b.png" alt="x" />`, `300x200`},
		"in a frame":              {`<Frame>![x](/img/b.png)</Frame>`, `300x200`},
		"in a tile": {`<Tile href="/a/page" title="T"><img src="/img/b.png" alt="x" /></Tile>`,
			`300x200`},
		"of a card": {`<Card title="T" img="/img/b.png" />`, `300x200`},
		"Image":     {`<Image src="/img/b.png" alt="x" />`, `300x200`},
		"from code": {`{[1].map(() => <img src="/img/b.png" alt="x" />)}`, `300x200`},
		"for one appearance": {`<img className="block dark:hidden rounded-lg" src="/img/b.png" alt="x" />`,
			`300x200`},
		"width by class": {`<img className="w-32 h-auto" src="/img/b.png" alt="x" />`, `300x200`},
		"width by style": {`<img style={{ width: '50%', height: 'auto' }} src="/img/b.png" alt="x" />`,
			`300x200`},
		"author's width":           {`<img width="150" src="/img/b.png" alt="x" />`, `150x100`},
		"author's width in pixels": {`<img width="75px" src="/img/b.png" alt="x" />`, `75pxx50`},
		"author's share":           {`<img width="50%" src="/img/b.png" alt="x" />`, `50%x`},
		"author's height":          {`<img height="50" src="/img/b.png" alt="x" />`, `x50`},
		"author's both":            {`<img width="1" height="2" src="/img/b.png" alt="x" />`, `1x2`},
		"height by class":          {`<img className="h-10" src="/img/b.png" alt="x" />`, `x`},
		"height bound by class":    {`<img className="md:max-h-[20rem]" src="/img/b.png" alt="x" />`, `x`},
		"height by style":          {`<img style={{ maxHeight: 20 }} src="/img/b.png" alt="x" />`, `x`},
		"class of the author's":    {`<img className="mine" src="/img/b.png" alt="x" />`, `x`},
		"several files":            {`<img srcSet="/img/a.svg 2x" src="/img/b.png" alt="x" />`, `x`},
		"a choice of files": {
			`<picture><source srcSet="/img/a.svg" /><img src="/img/b.png" alt="x" /></picture>`, `x`},
		"no picture":      {`![x](/img/text.png)`, `x`},
		"missing":         {`![x](/img/none.png)`, `x`},
		"of another site": {`![x](https://example.com/img/b.png)`, `x`},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := build(t, album(t, c.source), Options{Links: link.Relative})
			_, content, _ := strings.Cut(out.files["a/page.html"], `id="content"`)
			img := tag.FindString(content)
			if got := valueOf(img, "width") + "x" + valueOf(img, "height"); img == "" || got != c.want {
				t.Errorf("got %s in %s, want %s", got, img, c.want)
			}
		})
	}
}

// valueOf returns the value of a tag's attribute, or "".
func valueOf(tag, name string) string {
	_, after, _ := strings.Cut(tag, " "+name+`="`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}

func TestNavbarLogoHasWidthAndHeight(t *testing.T) {
	for _, file := range []string{"a/page.html", "404.html"} {
		out, _ := build(t, album(t, "text"), Options{Links: link.Relative, BaseURL: "https://d.example.com/docs"})
		for _, want := range []string{`img/a.svg" alt="Album" width="96" height="24">`,
			`img/b.png" alt="Album" width="36" height="24">`} {
			if !strings.Contains(out.files[file], want) {
				t.Errorf("%s lacks %s", file, want)
			}
		}
	}
	out, _ := build(t, album(t, "text"), Options{Links: link.Relative})
	if want := `<img src="../img/a.svg" alt="x" width="40" height="10"`; !strings.Contains(out.files["a/page.html"],
		want) {
		t.Errorf("the banner lacks %s", want)
	}
}
