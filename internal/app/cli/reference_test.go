package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/lectern-docs/lectern/internal/app/config"
)

// The reference describes each command in the section named after it or its group. Server settings are described in the
// settings reference, and flags shared by many commands only once.
func TestReferenceDescribesEveryFlag(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../docs/reference/cli.mdx")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, s := range strings.Split(string(raw), "\n## ") {
		title, text, _ := strings.Cut(s, "\n")
		sections[title] = text
	}
	elsewhere := []string{"--help", "--debug", "--json", "--url", "--key-file", "--organization"}
	for _, s := range config.Reference() {
		elsewhere = append(elsewhere, s.Flag)
	}
	k, err := kong.New(&grammar{}, kong.NoDefaultHelp(), kong.Name("lectern"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string][]string{} // flags by section
	for _, leaf := range k.Model.Leaves(true) {
		title := leaf.FullPath()
		for sections[title] == "" && strings.Contains(title, " ") {
			title = title[:strings.LastIndexByte(title, ' ')]
		}
		for _, f := range slices.Concat(leaf.AllFlags(false)...) {
			names := flagNames(f)
			known[title] = append(known[title], names...)
			described := func(name string) bool {
				return slices.Contains(elsewhere, name) || strings.Contains(sections[title], name)
			}
			if !slices.ContainsFunc(names, described) {
				t.Errorf("docs/reference/cli.mdx, section %q, lacks %s of %s", title, names[0], leaf.FullPath())
			}
		}
	}
	if len(known) < 20 {
		t.Errorf("found %d sections of commands", len(known))
	}
	row := regexp.MustCompile("(?m)^\\| (`--[^|]+)\\|")
	for title, flags := range known {
		for _, cells := range row.FindAllStringSubmatch(sections[title], -1) {
			for _, name := range regexp.MustCompile("--[a-z0-9-]+").FindAllString(cells[1], -1) {
				if !slices.Contains(flags, name) {
					t.Errorf("docs/reference/cli.mdx, section %q: no command has %s", title, name)
				}
			}
		}
	}
}

// flagNames returns the names of a flag on the command line, the most common one first.
func flagNames(f *kong.Flag) []string {
	names := []string{"--" + f.Name}
	for _, alias := range f.Aliases {
		names = append(names, "--"+alias)
	}
	if f.Tag.Negatable != "" {
		names = append(names, "--no-"+f.Name)
	}
	return names
}
