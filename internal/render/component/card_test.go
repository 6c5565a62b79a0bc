package component

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestCardIsOneLinkAndKeepsInnerLinks(t *testing.T) {
	inner := &ast.Link{URL: "/b", Children: ast.Children{say("b")}}
	html, s := draw(t, tag("Card", props{"title", "Use `x`", "href", "/a", "icon", "star", "color", "red"},
		para(inner)))
	wants(t, html, `<div class="card card-linked">`, `<span class="icon card-icon" style="color: red">`,
		`<p class="card-title"><a class="card-link" href="/a">Use <code>x</code></a></p>`,
		`<div class="card-text flow"><p><a href="/b">b</a></p></div>`)
	refuses(t, html, "card-arrow", "target=")
	if open, shut := strings.Index(html, "</a>"), strings.Index(html, `<a href="/b">`); open > shut {
		t.Errorf("links are nested in\n%s", html)
	}
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestExternalCardOpensNewTabWithArrow(t *testing.T) {
	html, _ := draw(t, tag("Card", props{"title", "x", "href", "https://example.com"}))
	wants(t, html, `href="https://example.com" target="_blank" rel="noopener"`, `card-arrow`)
	refuses(t, html, "card-text")
	html, _ = draw(t, tag("Card", props{"title", "x", "href", "https://example.com", "arrow", false}))
	refuses(t, html, "card-arrow")
	html, _ = draw(t, tag("Card", props{"title", "x", "href", "/a", "arrow", "true", "newTab", true}))
	wants(t, html, `href="/a" target="_blank"`, "card-arrow")
}

func TestCardShowsEveryProp(t *testing.T) {
	html, s := draw(t, tag("Card", props{"title", ast.Nodes{say("JSX")}, "img", "/p.png", "horizontal", true, "cta",
		"Go", "description", "About **it**",
		"disabled", true, "href", "/a", "className", "mt-4", "style", object("maxWidth", 300.0), "id", "my card",
		"data-x", "1", "type", "x"}, say("text")))
	wants(t, html,
		`<div class="card card-horizontal card-disabled mt-4" id="my-card" style="max-width: 300px" data-x="1">`,
		`src="/p.png" alt=""`,
		`<p class="card-title">JSX</p>`, `About <strong>it</strong>`, `text`, `<p class="card-cta">Go</p>`)
	refuses(t, html, "<a ")
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestCardWithoutTitleHasAccessibleName(t *testing.T) {
	html, _ := draw(t, tag("Card", props{"href", "/a"}, para(say(strings.Repeat("word ", 40)))))
	wants(t, html, `<a class="card-link" href="/a" aria-label="word word`, `…"></a>`)
}

func TestColumnCountIsClamped(t *testing.T) {
	for _, c := range []struct {
		name string
		p    props
		want string
	}{
		{"Columns", props{"cols", 3}, "--cols: 3"}, {"CardGroup", props{"cols", "4"}, "--cols: 4"},
		{"CardGroup", nil, "--cols: 2"},
		{"CardGroup", props{"columns", 3}, "--cols: 3"}, {"Columns", props{"cols", 99}, "--cols: 6"},
		{"Columns", props{"cols", -1}, "--cols: 1"},
		{"Columns", props{"cols", "many"}, "--cols: 2"},
	} {
		html, _ := draw(t, tag(c.name, c.p, tag("Column", props{"align", "center"}, say("x"))))
		wants(t, html, `<div class="columns" style="`+c.want+`">`,
			`<div class="column flow column-center">x</div></div>`)
	}
}

func TestFrameHasHintContentAndMarkdownCaption(t *testing.T) {
	html, s := draw(t, tag("Frame", props{"caption", "The **one**", "hint", "Look", "type", "glass", "width", "3"},
		tag("img", props{"src", "/a.png"})))
	wants(t, html,
		`<figure class="frame"><p class="frame-hint">Look</p><div class="frame-stage flow"><img src="/a.png"></div>`,
		`<figcaption>The <strong>one</strong></figcaption></figure>`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestTileShowsLinkedTitleBelowImage(t *testing.T) {
	html, _ := draw(t, tag("Tile", props{"href", "/a", "title", "Tabs", "description", "One of many"},
		tag("img", props{"src", "/a.png"})))
	wants(t, html, `<div class="tile card-linked"><div class="tile-stage"><img src="/a.png"></div>`,
		`href="/a">Tabs</a>`, `<p class="tile-text">One of many</p>`)
}

func TestRepoCardMakesNoRequest(t *testing.T) {
	html, _ := draw(t, tag("GitHub.Repo", props{"repo", "https://github.com/example/docs.git", "variant", "flat"}))
	wants(t, html, `repo-flat`, `data-platform`,
		`href="https://github.com/example/docs" target="_blank" rel="noopener"`, `example / `, `docs`)
	html, s := draw(t, tag("GitHub.Repo", props{"repo", "../../evil?x"}))
	if html != "" || len(s.warnings) != 1 {
		t.Errorf("got %q, warnings %q", html, s.warnings)
	}
}

func TestTooltipBubbleDescribesItsWord(t *testing.T) {
	tip := tag("Tooltip", props{"tip", "A <b>set</b> of rules", "headline", "API", "cta", "Read", "href", "/g"},
		say("API"))
	html, s := draw(t, para(tip, tip))
	wants(t, html, `<span class="tooltip-word" tabindex="0" aria-describedby="tooltip--bubble">API</span>`,
		`role="tooltip" id="tooltip--bubble"`,
		`<span class="tooltip-head">API</span>`, `A &lt;b&gt;set&lt;/b&gt; of rules`,
		`<a class="tooltip-cta" href="/g">Read</a>`, `id="tooltip--bubble-2"`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
	html, _ = draw(t, tag("Tooltip", props{"tip", "x", "href", "/g"}, say("API")))
	wants(t, html, `<a class="tooltip-word" href="/g" aria-describedby="tooltip--bubble">API</a>`)
	html, _ = draw(t, tag("Tooltip", nil, say("API")))
	if html != "API" {
		t.Errorf("a tooltip without words gives %s", html)
	}
}
