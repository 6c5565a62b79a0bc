package component

import (
	"slices"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestTabsHaveABarAndOnePanelEach(t *testing.T) {
	html, s := draw(t, tag("Tabs", props{"borderBottom", true},
		tag("Tab", props{"title", "macOS `14`", "icon", "apple"}, para(say("one"))), say("\n"),
		tag("Tab", props{"title", "Linux"}, para(say("two")))))
	wants(t, html, `<lectern-tabs class="tabset tabset-ruled"><div class="tabset-bar" role="tablist">`,
		`<button type="button" role="tab" id="macos-14--tab" aria-controls="macos-14" aria-selected="true"><span class="icon tabset-icon">`, `macOS <code>14</code></button>`,
		`id="linux--tab" aria-controls="linux" aria-selected="false" tabindex="-1">Linux</button></div>`,
		`<div class="tabset-panel" id="macos-14" role="tabpanel" aria-labelledby="macos-14--tab" data-active><p class="tabset-title" data-platform>`, `<p>one</p>`,
		`<div class="tabset-panel" id="linux" role="tabpanel" aria-labelledby="linux--tab"><p class="tabset-title" data-platform>Linux</p>`, `<p>two</p>`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestTabsOpenTheDefaultTab(t *testing.T) {
	two := func(p props) string {
		html, _ := draw(t, tag("Tabs", p, tag("Tab", props{"title", "A", "value", "va"}),
			tag("Tab", props{"title", "B", "value", "vb"})))
		return html
	}
	for _, c := range []struct {
		p    props
		open string
	}{{nil, "a"}, {props{"defaultTabIndex", 1}, "b"}, {props{"defaultTabIndex", "1"}, "b"},
		{props{"defaultTabIndex", 7}, "a"},
		{props{"defaultTabIndex", -1}, "a"}, {props{"defaultValue", "vb"}, "b"}} {
		html := two(c.p)
		wants(t, html, `id="`+c.open+`" role="tabpanel" aria-labelledby="`+c.open+`--tab" data-active`)
		if strings.Count(html, "data-active") != 1 || strings.Count(html, `aria-selected="true"`) != 1 {
			t.Errorf("%v opens more than one:\n%s", c.p, html)
		}
	}
	wants(t, two(props{"sync", false}), `data-sync="off"`)
}

func TestTabTitlesComeFromItemsLabelAndValue(t *testing.T) {
	html, s := draw(t, tag("Tabs", props{"items", []ast.Value{"First", "Second"}}, tag("Tabs.Tab", nil, say("1")),
		tag("Tabs.Tab", nil, say("2"))))
	wants(t, html, `>First</button>`, `>Second</button>`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
	html, s = draw(t, tag("Tabs", nil, tag("TabItem", props{"value", "v", "label", "L"}),
		tag("TabItem", props{"value", "v2"}), tag("Tab", nil)))
	wants(t, html, `>L</button>`, `>v2</button>`, `>Tab 3</button>`)
	if !slices.Contains(s.warnings, "missing-prop: <Tab> needs title.") {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestTabsWorkInIncludesFragmentsAndOtherTabs(t *testing.T) {
	inner := tag("Tabs", nil, tag("Tab", props{"title", "X"}, say("x")))
	html, _ := draw(t, tag("Tabs", nil,
		&ast.Included{Children: ast.Children{tag("Tab", props{"title", "A"}, inner)}},
		tag("", nil, tag("Tab", props{"title", "B"}, say("b"))),
		para(say("between"))))
	wants(t, html, `role="tablist"><button type="button" role="tab" id="a--tab"`, `id="b--tab"`,
		`</div><div class="tabset-panel" id="a"`,
		`<lectern-tabs class="tabset"><div class="tabset-bar" role="tablist"><button type="button" role="tab" id="x--tab"`, `id="b" role="tabpanel"`, `<p>between</p></lectern-tabs>`)
	if n := strings.Count(html, `role="tablist"`); n != 2 {
		t.Errorf("%d bars, want 2", n)
	}
}

func TestSingleTabKeepsItsTitle(t *testing.T) {
	html, _ := draw(t, tag("Tab", props{"title", "A"}, say("b")))
	wants(t, html, `<p class="tabset-title">A</p>`, `b`)
	refuses(t, html, "role=", "data-platform")
}

func TestStepsAreNumberedAndAppearInOutline(t *testing.T) {
	html, s := draw(t, tag("Steps", props{"titleSize", "h3"},
		tag("Step", props{"title", "Get `x`"}, para(say("a"))),
		&ast.Included{Children: ast.Children{tag("Step",
			props{"title", "Set", "stepNumber", 7, "titleSize", "h2", "id", "two"}, say("b"))}},
		tag("Step", props{"title", "Go", "icon", "star", "noAnchor", true},
			tag("Steps", nil, tag("Step", props{"title", "Inner"})))))
	wants(t, html,
		`<div class="steps" role="list"><div class="step" role="listitem"><span class="step-mark" data-platform>1</span>`,
		`<h3 class="step-title" id="get-x"><a class="anchor" href="#get-x"`, `Get <code>x</code></h3>`,
		`data-platform>7</span>`, `<h2 class="step-title" id="two">`, `<span class="icon step-icon">`,
		`<h3 class="step-title">Go</h3>`,
		`data-platform>1</span>`, `<p class="step-title" id="inner">`)
	if want := []string{"3 get-x Get x", "2 two Set", "3 inner Inner"}; !slices.Equal(s.outline, want) {
		t.Errorf("outline %q, want %q", s.outline, want)
	}
}

func TestStepsKeepUntitledContent(t *testing.T) {
	html, s := draw(t, tag("Steps", nil, tag("Step", nil, say("words")), para(say("stray")),
		tag("Step", props{"id", "z"}, say("more"))))
	wants(t, html, `words`, `<p>stray</p>`, `data-platform>2</span>`, `id="z"`, `more`)
	if len(s.outline) > 0 {
		t.Errorf("outline %q", s.outline)
	}
}

func TestAccordionUsesDetailsElement(t *testing.T) {
	html, s := draw(t, tag("AccordionGroup", props{"title", "x"},
		tag("Accordion", props{"title", "What `now`?", "icon", "star", "description", "More", "defaultOpen", true},
			para(say("a"))),
		tag("Accordion", props{"title", "What now?", "href", "/x", "query", "q"}, say("b"))))
	wants(t, html,
		`<div class="accordion-group"><details class="accordion" id="what-now" open><summary><span class="icon accordion-icon">`,
		`What <code>now</code>?</span> <span class="accordion-note">More</span></span></summary><div class="accordion-body flow"><p>a</p></div></details>`,
		`<details class="accordion" id="what-now-2"><summary>`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}
