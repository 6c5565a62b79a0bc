package jsonld

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/site"
)

func TestGraphIsJSONSafeForHTML(t *testing.T) {
	evil := `</script><script>alert(1)</script>"'&` + "\u2028"
	s := Site{URL: "https://d.example", Name: evil, Organization: site.Organization{Name: evil, SameAs: []string{evil}}}
	p := Page{URL: "https://d.example/a", Title: evil, Description: evil, Keywords: []string{evil}, API: true,
		Modified: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Crumbs:   []Crumb{{evil, "https://d.example/"}, {"group", ""}, {"A", "https://d.example/a"}}}
	out := Render(s, p)
	if bytes.ContainsAny(out, "<>&\u2028") {
		t.Errorf("%s", out)
	}
	var got struct {
		Graph []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	kinds := ""
	for _, n := range got.Graph {
		kinds += n["@type"].(string) + " "
	}
	if kinds != "Organization WebSite WebPage APIReference BreadcrumbList " || got.Graph[0]["name"] != evil ||
		got.Graph[2]["dateModified"] != "2026-01-02T03:04:05Z" {
		t.Errorf("%s %v", kinds, got.Graph)
	}
	if list := got.Graph[4]["itemListElement"].([]any); len(list) != 2 || list[1].(map[string]any)["position"] != 2.0 {
		t.Errorf("crumbs %v", list)
	}
}
