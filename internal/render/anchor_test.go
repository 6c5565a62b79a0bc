package render

import (
	"strings"
	"testing"
)

func TestHeadingsHaveIDsAndAppearInOutline(t *testing.T) {
	for _, c := range []struct{ name, in, outline, ids string }{
		{"duplicates count from two", "## A\n\n## A\n\n### A", "2 #a A; 2 #a-2 A; 3 #a-3 A", "a a-2 a-3"},
		{"own ids", "## A {#x}\n\n## B {#x}\n\n## X", "2 #x A; 2 #x-2 B; 2 #x-3 X", "x x-2 x-3"},
		{"h1 is shown as h2", "# A\n\n<h1 id=\"b\">B</h1>", "2 #a A; 2 #b B", "a b"},
		{"a tab does not take a heading's id", "<Tabs><Tab title=\"Usage\">x</Tab></Tabs>\n\n## Usage",
			"2 #usage Usage", "usage usage-2"},
		{"a step does not take a heading's id", "<Steps><Step title=\"Usage\">\n## Usage\n</Step></Steps>",
			"3 #usage-2 Usage; 2 #usage Usage", "usage usage-2"},
		{"an id in HTML counts where it stands", "<a id=\"usage\"></a>\n\n## Usage\n\n<div id=\"usage-2\">x</div>",
			"2 #usage-2 Usage", "usage usage-2"},
		{"an id in a table counts too", "| a |\n|---|\n| <a id=\"usage\"></a> |\n\n## Usage", "2 #usage-2 Usage",
			"usage usage-2"},
		{"HTML headings with an id", "<h3 id=\"x\">A <b>b</b></h3>\n\n<h2>none</h2>\n\n<h2 id=\"a b\">bad</h2>",
			"3 #x A b", "x"},
		{"content for agents takes no id", "<Visibility for=\"agents\">\n## A\n</Visibility>\n\n## A", "2 #a A", "a"},
		{"headings in JSX props", "<Accordion title={<h3 id=\"q\">Q</h3>}>a</Accordion>\n\n## Q", "3 #q Q; 2 #q-2 Q",
			"q q-2 q-3"},
		{"no letters", "## 🚀\n\n##", "2 #section 🚀; 2 #section-2 ", "section section-2"},
	} {
		page, _ := renderSource(t, c.in)
		if got := outlineOf(page); got != c.outline {
			t.Errorf("%s: outline %s, want %s", c.name, got, c.outline)
		}
		if got := strings.Join(page.IDs, " "); got != c.ids {
			t.Errorf("%s: ids %s, want %s", c.name, got, c.ids)
		}
	}
}

func TestSnippetShownTwiceHasDistinctIDs(t *testing.T) {
	page, _ := renderSource(t, "import S from '/snippets/s.mdx'\n\n<S />\n\n## A\n\n<S />", "snippets/s.mdx",
		"## A\n\n### B")
	if got := outlineOf(page); got != "2 #a A; 3 #b B; 2 #a-2 A; 2 #a-3 A; 3 #b-2 B" {
		t.Error(got)
	}
}

func TestSnippetFindingsAreReportedOnceAtSource(t *testing.T) {
	_, list := renderSource(t, "import S from '/snippets/s.mdx'\n\n<S />\n\n![](/p.png)\n\n<S />", "snippets/s.mdx",
		"---\ntitle: x\n---\n\ntext ![](/s.png)\n\n<Card nope=\"1\" />")
	if got := places(
		list); got != "snippets/s.mdx:5:6 missing-alt; snippets/s.mdx:7:7 unknown-prop; page.mdx:5:1 missing-alt" {
		t.Error(got)
	}
}

func TestHeadingsInCollapsedPartsAreFolded(t *testing.T) {
	page, _ := renderSource(t, "## A\n\n<Tabs defaultTabIndex={1}><Tab title=\"x\">\n## B\n</Tab><Tab title=\"y\">\n## C\n\n"+
		"<Accordion title=\"z\">\n## D\n</Accordion>\n</Tab></Tabs>\n\n<Accordion title=\"o\" defaultOpen>\n## E\n</Accordion>\n\n"+
		"<View title=\"v\">\n## F\n</View>\n\n<View title=\"w\">\n## G\n</View>\n\n## H")
	folded := ""
	for _, h := range page.Headings {
		if h.Folded {
			folded += h.Text
		}
	}
	if len(page.Headings) != 8 || folded != "BDG" {
		t.Errorf("%d headings, folded: %s, want 8 and BDG", len(page.Headings), folded)
	}
}
