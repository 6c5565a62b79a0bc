package pagediff

import (
	"strings"
	"testing"
)

func document(text string) []byte {
	return []byte(`<!doctype html><html><head><title>T</title></head><body><main><article class="content"><h1 id="t">T</h1>` +
		`<div id="content" class="split-body mdx-content prose">` + "\n" + text + "\n" + `</div></article></main><p>after</p></body></html>`)
}

func TestChangedBlocksAreShownSideBySide(t *testing.T) {
	t.Parallel()
	before := document("<p>Same <br>text.</p>\n<p id=\"x\">Unpack the <b>archive</b> once.</p>\n<ul><li>gone</li></ul>")
	after := document("<p>Same <br>text.</p>\n<p id=\"x\">Unpack the <b>archive</b> twice.</p>\n<h2 id=\"new\">New</h2>")
	got, ok := Mark(before, after, "/_lectern/changes.css")
	if !ok {
		t.Fatal("nothing was marked")
	}
	for _, want := range []string{
		`<link rel="stylesheet" href="/_lectern/changes.css"></head>`,
		`<p>Same <br>text.</p>` + "\n" + `<div class="change-row">`,
		`<div class="change-old"><p>Unpack the <b>archive</b> <del>once.</del></p></div>` +
			`<div class="change-new"><p id="x">Unpack the <b>archive</b> <ins>twice.</ins></p></div>`,
		`<del>gone</del>`, `<h2 id="new"><ins>New</ins></h2>`, `</div></article></main><p>after</p></body></html>`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is missing: %s", want, got)
		}
	}
	if strings.Count(string(got), `id="x"`) != 1 || strings.Count(string(got), "Same") != 1 {
		t.Errorf("an id or an unchanged block appears twice: %s", got)
	}
	if _, ok := Mark(before, before, ""); ok {
		t.Error("an unchanged page is marked")
	}
	if _, ok := Mark([]byte("<html></html>"), after, ""); ok {
		t.Error("a document without a text is marked")
	}
}

func TestTextOfScriptsIsNotMarked(t *testing.T) {
	t.Parallel()
	before, after := `<div><script>let a = 1 < 2</script><svg><title>x</title></svg>one</div>`, `<div><script>let b = 1 < 2</script><svg><title>y</title></svg>two</div>`
	got, ok := Mark(document(before), document(after), "/s.css")
	if !ok || !strings.Contains(string(got), `<script>let b = 1 < 2</script>`) || !strings.Contains(string(got), `<title>y</title>`) ||
		!strings.Contains(string(got), "<ins>two</ins>") {
		t.Errorf("%v %s", ok, got)
	}
}

// The time to compare words grows with their number, and authors are not trusted. Beyond the limits, blocks are
// therefore shown side by side without marks.
func TestLongTextsAreShownWithoutMarks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", maxBlockPieces/2)
	got, ok := Mark(document("<p>"+long+"old</p>"), document("<p>"+long+"new</p>"), "/s.css")
	if !ok || strings.Contains(string(got), "<ins>") || !strings.Contains(string(got), "new</p>") || !strings.Contains(string(got), "old</p>") {
		t.Errorf("a long block: %v, %d marks", ok, strings.Count(string(got), "<ins>"))
	}
	block := strings.Repeat("w ", 500)
	var before, after strings.Builder
	for range 200 { // each block is short enough, but all of them together are not
		before.WriteString("<p>" + block + "old</p>\n<p>same</p>\n")
		after.WriteString("<p>" + block + "new</p>\n<p>same</p>\n")
	}
	got, ok = Mark(document(before.String()), document(after.String()), "/s.css")
	if n := strings.Count(string(got), "<ins>"); !ok || n == 0 || n >= 200 || strings.Count(string(got), "change-row") != 200 {
		t.Errorf("many blocks: %v, %d marks", ok, n)
	}
}

// Marking does not change the part of the page before its text, no matter what the author wrote. Builds close all
// elements, so the part after the text is unchanged too.
func FuzzMark(f *testing.F) {
	f.Add("<p>a b</p>", "<p>a c</p>")
	f.Add("<pre><code>x\ny</code></pre>", "text <b>bold</b> <img src=x> <!-- c --> end")
	f.Add("<div><p>", "</div></p>")
	f.Fuzz(func(t *testing.T, before, after string) {
		got, ok := Mark(document(before), document(after), "/s.css")
		if !ok {
			return
		}
		if !strings.HasPrefix(string(got), "<!doctype html><html><head><title>T</title><link") {
			t.Errorf("%q, %q: the start of the page changed: %s", before, after, got)
		}
	})
}
