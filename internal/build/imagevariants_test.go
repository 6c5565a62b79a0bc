package build

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/lectern-docs/lectern/internal/site/link"
)

// gallery returns a site that shows a picture much wider than a page: on two pages and in a card.
func gallery(t *testing.T, styling string) fstest.MapFS {
	t.Helper()
	wide := image.NewNRGBA(image.Rect(0, 0, 1600, 200))
	for i := range 1600 * 200 {
		wide.SetNRGBA(i%1600, i/1600, color.NRGBA{uint8(i%1600/7) ^ uint8(i*7919>>9&7), uint8(i / 1600), 90, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, wide); err != nil {
		t.Fatal(err)
	}
	src := files(map[string]string{
		"docs.json": `{"name": "G", "theme": "mint", "colors": {"primary": "#123456"}, "styling": ` + styling +
			`, "navigation": {"pages": ["a", "sub/b"]}}`,
		"a.mdx":     "---\ntitle: A\n---\n\n![x](/Wide%20shot.png)\n",
		"sub/b.mdx": "---\ntitle: B\n---\n\n<Card title=\"T\" img=\"/Wide shot.png\" />\n",
	})
	src["Wide shot.png"] = &fstest.MapFile{Data: b.Bytes()}
	src["unused.png"] = src["Wide shot.png"]
	return src
}

// copies lists the narrower copies in the output.
func copies(out *memory) (names []string) {
	for name := range out.files {
		if strings.HasPrefix(name, "_lectern/image/") {
			names = append(names, name)
		}
	}
	return names
}

func TestPhonesGetNarrowerCopiesOfWidePictures(t *testing.T) {
	src := gallery(t, "{}")
	opt := Options{Links: link.Relative, ResponsiveImages: true}
	out, _ := build(t, src, opt)
	names := copies(out)
	if len(names) != 1 || !strings.HasPrefix(names[0], "_lectern/image/wide-shot-768.") {
		t.Fatalf("copies: %v", names)
	}
	for file, up := range map[string]string{"a.html": "", "sub/b.html": "../"} {
		_, content, _ := strings.Cut(out.files[file], `id="content"`)
		want := up + names[0] + " 768w, " + up + "Wide%20shot.png 1600w"
		if got := valueOf(tag.FindString(content), "srcset"); got != want {
			t.Errorf("%s: srcset %q, want %q", file, got, want)
		}
	}
	if out.files["Wide shot.png"] != string(src["Wide shot.png"].Data) {
		t.Error("the picture itself changed")
	}
	opt.Workers = 1
	if again, _ := build(t, src, opt); again.files[names[0]] != out.files[names[0]] {
		t.Error("the copy depends on the number of workers")
	}
	for name, c := range map[string]struct {
		styling string
		on      bool
	}{"switched off in docs.json": {`{"responsiveImages": false}`, true}, "switched off by the caller": {"{}", false}} {
		out, _ := build(t, gallery(t, c.styling), Options{Links: link.Relative, ResponsiveImages: c.on})
		if len(copies(out)) > 0 || strings.Contains(out.files["a.html"], "srcset") {
			t.Errorf("%s: %v", name, copies(out))
		}
	}
}

func TestImageCopiesComeFromTheCache(t *testing.T) {
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	opt := Options{Links: link.Relative, ResponsiveImages: true, Cache: cache}
	first, _ := build(t, gallery(t, "{}"), opt)
	stored := len(cache.values)
	second, _ := build(t, gallery(t, "{}"), opt)
	if len(cache.values) != stored {
		t.Errorf("the second build stored %d more values", len(cache.values)-stored)
	}
	for name, data := range first.files {
		if second.files[name] != data {
			t.Errorf("%s differs", name)
		}
	}
	// When a picture changes, the pages that show it change too.
	src := gallery(t, "{}")
	src["Wide shot.png"].Data = append(bytes.Clone(src["Wide shot.png"].Data), 0)
	third, _ := build(t, src, opt)
	if third.files["a.html"] != first.files["a.html"] { // the pixels are the same, and so are the copy and the page
		t.Error("a page changed unnecessarily")
	}
}

func TestImageCopiesPerBuildAreLimited(t *testing.T) {
	tools, err := NewTools()
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	src := gallery(t, "{}")
	src["b.png"] = src["Wide shot.png"]
	src["sub/b.mdx"] = &fstest.MapFile{Data: []byte("![x](/b.png)\n\n![y](/Wide%20shot.png)\n\n![z](/unused.png)\n")}
	size := int64(len(src["b.png"].Data))
	cache := &shelfCache{values: map[[32]byte][]byte{}}
	for _, c := range []struct {
		name  string
		limit copyLimit
		over  string // start of the message
	}{
		{"number", copyLimit{1, 10 * size}, "2 pictures"},
		{"number, with pages of the cache", copyLimit{1, 10 * size}, "2 pictures"},
		{"bytes", copyLimit{10, size + 5}, "2 pictures"},
		{"within", copyLimit{3, 3 * size}, ""},
	} {
		tools.copies = c.limit
		out, report := build(t, src, Options{Links: link.Relative, ResponsiveImages: true, Tools: tools, Cache: cache})
		var messages string
		for _, d := range report.Diagnostics {
			if d.Code == "too-many-images" {
				messages += d.File + ": " + d.Message
			}
		}
		limited := c.over != ""
		if limited != strings.HasPrefix(messages, "b.png: "+c.over) || limited == strings.Contains(out.files["sub/b.html"], "b-768") {
			t.Errorf("%s: %q, copies %v", c.name, messages, copies(out))
		}
		if !strings.Contains(out.files["sub/b.html"], "wide-shot-768") {
			t.Errorf("%s: the first picture has no copy", c.name)
		}
	}
}
