package pagetext

import (
	"fmt"
	"strings"
	"testing"
)

func show(sections []Section) string {
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintf(&b, "%d %s|%s|%v\n%s\n", s.Level, s.Anchor, s.Heading, s.More, s.Text)
		if s.Code != "" {
			fmt.Fprintf(&b, "```%s```\n", s.Code)
		}
	}
	return b.String()
}

func TestSections(t *testing.T) {
	for name, c := range map[string]struct{ html, want string }{
		"text before the first heading": {
			"<p>One  <b>two</b>\nthree &amp; <code>four</code>.</p>\n<p>Five.</p>\n<h2 id=\"a\"><a class=\"anchor\" href=\"#a\" aria-label=\"Link\" data-platform></a>A &lt;b&gt;</h2>\n<p>Six</p>",
			"0 ||false\nOne two three & four.\nFive.\n2 a|A <b>|false\nSix\n",
		},
		"words with markup are not split, cells and items are separate": {
			`<p>un<em>break</em>able</p><table><tr><th>A</th><th>B</th></tr></table><ul><li>x</li><li>y</li></ul>`,
			"0 ||false\nunbreakable\nA\nB\nx\ny\n",
		},
		"code is separate from text": {
			"<p>Run:</p><figure><figcaption><span>main.go</span><button data-copy>Copy</button></figcaption><pre tabindex=\"0\"><code><span class=\"line\">a := 1</span>\n<span class=\"line\">  b &lt; 2</span></code></pre></figure><p>Done</p>",
			"0 ||false\nRun:\nmain.go\nDone\n```a := 1\n  b < 2```\n",
		},
		"platform content, pictures and hidden copies are omitted": {
			`<p>a <svg viewBox="0 0 1 1"><path d="M0"/><title>t</title></svg>b<span data-platform>no <span>no</span></span> c<span aria-hidden="true">no</span><img src="x" alt="no"> d<br>e</p><script>no</script>`,
			"0 ||false\na b c d\ne\n",
		},
		"what an API description made is kept, its labels are not": {
			`<div class="api" data-platform><h2 id="body">Body</h2><code class="field-name">limit</code> <span class="field-mark" data-platform>required</span> How many.</div>`,
			"2 body|Body|false\nlimit How many.\n",
		},
		"folded parts are sections, and the interrupted section continues": {
			`<h2 id="faq">FAQ</h2><p>Before.</p><details class="accordion" id="why"><summary><span>Why?</span></summary><div><p>Because.</p></div></details><p>After.</p>`,
			"2 faq|FAQ|false\nBefore.\n7 why|Why?|false\nBecause.\n2 faq|FAQ|true\nAfter.\n",
		},
		"folded parts without an id are text": {
			`<details><summary>More</summary><p>Inside.</p></details>`, "0 ||false\nMore\nInside.\n",
		},
		"steps and entries of a change log": {
			`<div><p class="step-title" id="one">One</p><p>Do it.</p></div><section class="update" id="may"><div><p class="update-label"><a href="#may">May</a></p></div><p>New.</p></section>`,
			"7 one|One|false\nDo it.\n7 may|May|false\nNew.\n",
		},
		"a heading without an id leads to what is above it": {
			`<h2 id="a">A</h2><p>x</p><h3>B</h3><p>y</p>`, "2 a|A|false\nx\n3 a|B|false\ny\n",
		},
		"an id with an entity": {`<h2 id="q&amp;a">Q&amp;A</h2>`, "2 q&a|Q&A|false\n\n"},
		"nothing":              {``, ""},
	} {
		if got := show(Sections([]byte(c.html))); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestSidePanelTextFollowsPageText(t *testing.T) {
	if got := show(Sections([]byte("<p>Body</p>"), []byte("<pre>curl</pre>"))); got != "0 ||false\nBody\n```curl```\n" {
		t.Errorf("got %s", got)
	}
}

// FuzzSections checks that the parser terminates for any HTML and does not add text.
func FuzzSections(f *testing.F) {
	f.Add(`<h2 id="a">A</h2><p>b &amp; c</p><pre><code>d</code></pre><details id="x"><summary>s</summary>t</details>`)
	f.Add(`<a b='<' c="`)
	f.Add(`<!-- --><svg/><svg><p data-platform></p></svg></pre></details></h1><`)
	f.Fuzz(func(t *testing.T, html string) {
		total := 0
		for _, s := range Sections([]byte(html)) {
			total += len(s.Text) + len(s.Code)
		}
		if total > 3*len(html)+3 { // the character for an entity such as &nGt; can be longer than the entity
			t.Errorf("%d bytes of text from %d of HTML", total, len(html))
		}
	})
}

func BenchmarkSections(b *testing.B) {
	html := []byte(
		strings.Repeat(`<h2 id="a">Heading</h2><p>Some text with <code>code</code> and <a href="/x/y/z" class="link">a link</a> in it, as pages have.</p>
<pre tabindex="0"><code class="language-js"><span class="line"><span class="k">const</span> <span class="n">a</span> <span class="o">=</span> <span class="m">1</span></span></code></pre>`, 30))
	b.SetBytes(int64(len(html)))
	b.ReportAllocs()
	for range b.N {
		Sections(html)
	}
}
