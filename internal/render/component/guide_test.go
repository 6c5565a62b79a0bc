package component

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/components describes every component and every prop that has an effect, on a page that names the component.
func TestGuideDescribesEveryComponentAndProp(t *testing.T) {
	files, err := filepath.Glob("../../../docs/components/*.mdx")
	if err != nil || len(files) < 5 {
		t.Fatalf("found %d pages, error %v", len(files), err)
	}
	var pages []string
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, string(page))
	}
	for _, c := range List() {
		if c.Instead != "" || c.Name == "Tabs.Tab" || strings.HasPrefix(c.Name, "FileTree") {
			continue // another name of a component
		}
		shown := "" // pages with the component
		for _, page := range pages {
			if strings.Contains(page, "`"+c.Name+"`") || strings.Contains(page, "<"+c.Name) {
				shown += page
			}
		}
		if shown == "" {
			t.Errorf("docs/components does not describe %s", c.Name)
			continue
		}
		for _, p := range c.Props {
			if !p.Ignored && !regexp.MustCompile("`"+regexp.QuoteMeta(p.Name)+"[`=]").MatchString(shown) {
				t.Errorf("docs/components does not describe %s of %s", p.Name, c.Name)
			}
		}
	}
}
