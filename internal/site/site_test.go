package site

import "testing"

func TestOnlyKeepsChosenPagesAndTheirNavigation(t *testing.T) {
	s := &Site{
		Pages: []*Page{{Path: "a"}, {Path: "b"}, {Path: "c"}},
		Nav: []*Node{
			{Kind: KindGroup, Title: "G", Page: "c",
				Children: []*Node{{Kind: KindPage, Page: "a"}, {Kind: KindPage, Page: "b"}}},
			{Kind: KindTab, Title: "T", Children: []*Node{{Kind: KindPage, Page: "c"}}},
			{Kind: KindAnchor, Title: "L", Href: "https://example.com"},
		},
	}
	got := s.Only([]string{"b", "unknown"})
	if len(got.Pages) != 1 || got.Find("b") == nil || got.Find("a") != nil || len(got.Left) != 2 {
		t.Errorf("pages %v left %v", got.Pages, got.Left)
	}
	if len(got.Nav) != 2 || len(got.Nav[0].Children) != 1 || got.Nav[0].Page != "" || got.Nav[1].Title != "L" {
		t.Errorf("navigation %+v", got.Nav)
	}
	if len(s.Nav[0].Children) != 2 || s.Nav[0].Page != "c" {
		t.Error("the site itself was changed")
	}
}

func TestIndexedFollowsTheVisibilityRules(t *testing.T) {
	for _, c := range []struct {
		page Page
		all  bool
		want bool
	}{{Page{Listed: true}, false, true}, {Page{}, false, false}, {Page{}, true, true},
		{Page{Listed: true, Hidden: true}, true, false}, {Page{Listed: true, NoIndex: true}, false, false}} {
		if got := c.page.Indexed(c.all); got != c.want {
			t.Errorf("%+v all=%v: %v", c.page, c.all, got)
		}
	}
}
