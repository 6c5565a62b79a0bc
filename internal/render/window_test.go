package render

import (
	"strings"
	"testing"
)

// C6: a link that opens a new window always has noopener, however its author wrote it.
func TestLinksToNewWindowsHaveNoopener(t *testing.T) {
	for src, want := range map[string]string{
		`<a href="https://e.example" target="_blank">x</a>`:                                                        `target="_blank" rel="noopener"`,
		`<a href="https://e.example" target={"_BLANK "} rel="opener">x</a>`:                                        `target="_blank" rel="noopener"`,
		`<a rel="OPENER nofollow" href="https://e.example" target="_blank">x</a>`:                                  `rel="nofollow noopener"`,
		`<a href="https://e.example" target="_blank" rel="noreferrer noopener">x</a>`:                              `rel="noreferrer noopener"`,
		`<svg><a href="https://e.example" target="_blank"><text>x</text></a></svg>`:                                `target="_blank" rel="noopener"`,
		`<map><area href="https://e.example" target="_blank" /></map>`:                                             `target="_blank" rel="noopener"`,
		`<div dangerouslySetInnerHTML={{ __html: '<a href=https://e.example target=_blank rel=opener>x</a>' }} />`: `rel="noopener" target="_blank"`,
		`<a {...{href: "https://e.example", target: "_blank"}}>x</a>`:                                              `target="_blank" rel="noopener"`,
	} {
		page, _ := renderSource(t, src)
		html := string(page.HTML)
		if !strings.Contains(html, want) || strings.Contains(html, `"opener`) {
			t.Errorf("%s:\ngot  %s\nwant %s", src, html, want)
		}
	}
	if page, _ := renderSource(t, `<a href="https://e.example" target="_self" rel="nofollow">x</a>`); !strings.Contains(
		string(page.HTML), `rel="nofollow"`) {
		t.Errorf("another rel was changed: %s", page.HTML)
	}
}
