package feed

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/mdx/ast"
)

func TestDatesAreParsedInCommonFormats(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04": "2026-03-04", "March 4, 2026": "2026-03-04", "Mar 4, 2026": "2026-03-04",
		"4 March 2026": "2026-03-04", "March 2026": "2026-03-01",
		" March  4,  2026 ": "2026-03-04", "v1.2": "", "": "", "03/04/2026": "", "2026-13-40": "",
	} {
		got, ok := Date(text)
		if ok != (want != "") || ok && got.Format(time.DateOnly) != want {
			t.Errorf("%q: %v %v", text, got, ok)
		}
	}
}

func updateOf(label string, children ...ast.Node) *ast.Element {
	return &ast.Element{Name: "Update", Props: []ast.Prop{{Name: "label", Value: label}}, Children: children}
}

func TestEntriesLinkToTheirAnchors(t *testing.T) {
	nodes := []ast.Node{updateOf("1.0"), &ast.Included{Children: ast.Children{updateOf("1.0")}}, updateOf("No heading")}
	got := Entries(nodes, []Place{{"intro", "Intro"}, {"1-0", "1.0"}, {"1-0-2", "1.0"}}, nil)
	if len(got) != 3 || got[0].Anchor != "1-0" || got[1].Anchor != "1-0-2" || got[2].Anchor != "" {
		t.Errorf("%+v", got)
	}
}

// C7: no text breaks out of the feed, and guids are distinct.
func TestHostileTextIsEscaped(t *testing.T) {
	evil := "</title><script>&]]>\x00\x1b\"'"
	p := Page{Title: evil, Description: evil, URL: "https://d.example/log", Self: "https://d.example/\"><x>",
		Language: "en", Entries: []Entry{
			{Title: evil, Description: evil, Tags: []string{evil}}, {Title: "b"},
			{Title: "c", Anchor: "x", Date: time.Unix(0, 0)},
		}}
	var got struct {
		Items []struct {
			Title string `xml:"title"`
			GUID  string `xml:"guid"`
		} `xml:"channel>item"`
	}
	if err := xml.Unmarshal(p.Render(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != 3 || !strings.HasPrefix(got.Items[0].Title, "</title><script>&]]>") ||
		got.Items[0].GUID == got.Items[1].GUID || got.Items[2].GUID != "https://d.example/log#x" {
		t.Errorf("%+v", got)
	}
}
