package component

import (
	"slices"
	"testing"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestCalloutsShowIconAndContent(t *testing.T) {
	for name, class := range map[string]string{
		"Note": "callout callout-note", "Info": "callout callout-info", "Tip": "callout callout-tip",
		"Check":   "callout callout-check",
		"Warning": "callout callout-warning", "Danger": "callout callout-danger", "Callout": "callout",
	} {
		html, s := draw(t, tag(name, nil, para(say("Careful."))))
		wants(t, html, `<div class="`+class+`" role="note"`, `<p>Careful.</p>`)
		if len(s.warnings) > 0 {
			t.Errorf("%s: %q", name, s.warnings)
		}
	}
}

func TestCalloutSupportsIconColorTitleAndForeignTypes(t *testing.T) {
	html, s := draw(t, tag("Callout", props{"type", "caution", "icon", "key", "iconType", "regular", "color", "#FFC107",
		"title", "Keys <b>"}, say("x")))
	wants(t, html, `callout-warning`, `style="--tone: #FFC107"`, `data-name="key regular"`,
		`<p class="callout-title">Keys &lt;b&gt;</p>x`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestMisspelledCalloutIsShownWithWarning(t *testing.T) {
	html, s := draw(t, tag("Important", nil, say("Read this.")))
	wants(t, html, `callout-warning`, `Read this.`)
	if !slices.Contains(s.warnings, "component-alias: <Important> is not a component; it is rendered as <Warning>.") {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestUnknownIconFallsBackToDefault(t *testing.T) {
	html, s := draw(t, tag("Tip", props{"icon", "none"}, say("x")))
	wants(t, html, `<span class="icon callout-icon"><svg viewBox="0 0 20 20"`)
	if len(s.warnings) != 1 || s.warnings[0] != `unknown-icon: Unknown icon "none".` {
		t.Errorf("warnings %q", s.warnings)
	}
}

func TestIconSupportsNamesFilesJSXSizeAndColor(t *testing.T) {
	for _, c := range []struct {
		p    props
		want string
	}{
		{props{"icon", "star", "iconType", "solid", "size", 20, "color", "A8FF53"},
			`<span class="icon" style="color: #A8FF53; --icon: 20px"><svg data-name="star solid"`},
		{props{"name", "star", "size", "16"}, `<span class="icon" style="--icon: 16px"><svg data-name="star"`},
		{props{"src", "/a.svg", "className", "mr-2", "style", "width: 14px; height: 14px;"},
			`<span class="icon mr-2" style="width: 14px; height: 14px"><img src="/a.svg" alt="">`},
		{props{"icon", ast.Nodes{tag("svg", nil)}, "aria-label", "Star"},
			`<span class="icon" aria-label="Star"><svg></svg></span>`},
		{props{"icon", "none"}, ``},
		{nil, ``},
	} {
		html, _ := draw(t, tag("Icon", c.p))
		wants(t, html, c.want)
		if c.want == "" && html != "" {
			t.Errorf("%v gives %q", c.p, html)
		}
	}
}

func TestBadgeSupportsAppearanceProps(t *testing.T) {
	html, s := draw(t, tag("Badge", props{"color", "red", "size", "lg", "shape", "pill", "stroke", true, "disabled",
		true, "icon", "x"}, say("New")))
	wants(t, html,
		`<span class="badge badge-red badge-lg badge-pill badge-stroke badge-disabled"><span class="icon badge-icon">`,
		`</span>New</span>`)
	if len(s.warnings) > 0 {
		t.Errorf("warnings %q", s.warnings)
	}
	html, s = draw(t, tag("Badge", props{"color", `red" onclick="x`}, say("New")))
	if html != `<span class="badge">New</span>` || len(s.warnings) != 1 {
		t.Errorf("got %s, warnings %q", html, s.warnings)
	}
}
