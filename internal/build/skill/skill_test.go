package skill

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSkillNamesFollowFormat(t *testing.T) {
	for in, want := range map[string]string{"Acme Docs": "acme-docs", "Ünï & Co.": "n-co", "日本": "docs", "": "docs",
		"a--b": "a-b", strings.Repeat("x", 100): strings.Repeat("x", 64)} {
		if got := Name(in); got != want {
			t.Errorf("Name(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHostileNamesAreEscaped(t *testing.T) {
	evil := "x\n---\nname: evil\n\"'](y)</s>"
	s := Site{Name: evil, Description: evil, Note: evil, URL: "https://d.example", Twin: "https://d.example/a.md",
		MCP:      "https://d.example/mcp",
		Sections: []Section{{evil, []Link{{evil, "https://d.example/a b.md"}}}}}
	text := string(s.Render())
	front, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if strings.Count(front, "\n") != 1 || strings.Contains(text, "\nname: evil") ||
		strings.Contains(text, "](y)</s>](") {
		t.Errorf("%s", text)
	}
	for _, data := range [][]byte{s.Card("1"), s.MCPCard("1"), Index([]Skill{{Name: evil, Description: evil}}),
		Digests([]Skill{{Name: evil, Data: []byte("x")}}), Catalog(evil, []API{{Anchor: evil}})} {
		if !json.Valid(data) {
			t.Errorf("%s", data)
		}
	}
	if d := string(Digests([]Skill{{Data: []byte("x")}})); !strings.Contains(d,
		"sha256:2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881") {
		t.Errorf("%s", d)
	}
}
