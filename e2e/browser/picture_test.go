package browser

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"
)

// Space for a picture far below the initial viewport is reserved from the start, in the picture's proportions, whatever
// width its classes set. Classes that set the height still apply, and a picture that loads late can still grow.
func TestSpaceIsReservedUntilPicturesLoad(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3000, 1500))); err != nil {
		t.Fatal(err)
	}
	lazy := func(id, class string) string {
		return `<img id="` + id + `" ` + class + ` loading="lazy" src="/` + id + `.png" alt="x" />` + "\n\n"
	}
	files := []string{
		"docs.json",
		`{"name": "T", "theme": "mint", "colors": {"primary": "#0055ff"}, "navigation": {"pages": ["index"]}}`,
		"index.mdx", "---\ntitle: One\n---\n\n" + strings.Repeat(longText(), 20) + lazy("plain", "") +
			lazy("narrow", `className="w-32"`) +
			lazy("both", `className="w-20 h-20"`) + lazy("low", `className="h-10"`) +
			lazy("bound", `className="max-h-40"`) + lazy("given", `width="200"`) + "the end\n",
	}
	ids := []string{"plain", "narrow", "both", "low", "bound", "given"}
	for _, id := range ids {
		files = append(files, id+".png", b.String())
	}
	p := openURL(t, serve(t, files...).URL+"/")
	box := func(id string) string {
		return eval[string](p,
			`(({ width, height }) => Math.round(width) + " " + Math.round(height))(document.getElementById("`+id+
				`").getBoundingClientRect())`)
	}
	p.expectEqual("nothing has come", eval[string](p, `String([...document.images].some((img) => img.naturalWidth))`), "false")
	early := map[string]string{}
	for _, id := range ids {
		early[id] = box(id)
	}
	eval[bool](p, `([...document.images].forEach((img) => { img.loading = "eager"; }), true)`)
	p.waitFor(`[...document.images].every((img) => img.complete && img.naturalWidth)`)
	for id, want := range map[string]string{"narrow": "128 64", "both": "80 80", "low": "80 40", "bound": "320 160",
		"given": "200 100", "plain": early["plain"]} {
		p.expectEqual(id, box(id), want)
	}
	for _, id := range []string{"narrow", "both", "given"} {
		p.expectEqual(id+" before it came", early[id], box(id))
	}
	if strings.HasSuffix(early["plain"], " 0") {
		t.Error("no space was reserved")
	}
	p.waitFor(`document.getElementById("plain").dataset.zoom === ""`)
	p.checkConsole()
}
