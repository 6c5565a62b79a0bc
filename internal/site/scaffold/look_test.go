package scaffold

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestDarkModeColourIsLightWithSameHue(t *testing.T) {
	for color, want := range map[string]string{
		"#0F766E": "#73E8DF",
		"#7C3AED": "#9E73E8",
		"#000000": "#ADADAD",
		"#FFFFFF": "#FFFFFF",
	} {
		if got := lighter(color); got != want {
			t.Errorf("%s becomes %s, want %s", color, got, want)
		}
	}
	if got := darker("#0F766E"); got != "#0B5953" {
		t.Errorf("darker: %s", got)
	}
}

func TestLogoIsValidXMLForAnyName(t *testing.T) {
	for _, name := range []string{"Docs", `Cats & "Dogs"`, "文書", strings.Repeat("long ", 30)} {
		files, err := Files(Options{Name: name}, []string{"mint"})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Path, ".svg") {
				continue
			}
			var any struct {
				Text  string `xml:"text"`
				Width int    `xml:"width,attr"`
			}
			if err := xml.Unmarshal(f.Data, &any); err != nil {
				t.Errorf("%s of %q: %v", f.Path, name, err)
			}
			if strings.HasPrefix(f.Path, "logo/") && len([]rune(name)) <= maxLogo &&
				(any.Text != name || any.Width < 40) {
				t.Errorf("%s of %q shows %q in %d units", f.Path, name, any.Text, any.Width)
			}
		}
	}
}
