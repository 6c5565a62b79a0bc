package summarycheck

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/site/draft"
)

func changes(pairs ...string) (out []draft.Change) {
	for i := 0; i < len(pairs); i += 3 {
		c := draft.Change{Path: pairs[i]}
		if pairs[i+1] != "" {
			c.Before = []byte(pairs[i+1])
		}
		if pairs[i+2] != "" {
			c.After = []byte(pairs[i+2])
		}
		out = append(out, c)
	}
	return out
}

// The second column is the start of the finding's reason; "" = the changes support the summary.
func TestClaimsMustBeInTheChanges(t *testing.T) {
	made := changes("guides/start.mdx", "Run `lectern serve`.\nPort 80.\n", "Run `lectern serve`.\nPort 8080.\n",
		"docs.json", `{"navigation": []}`, `{"navigation": ["guides/new"]}`,
		"guides/new.mdx", "", "---\ntitle: New\n---\n",
		"old.mdx", "Old.\n", "")
	for summary, why := range map[string]string{
		"Updated `guides/start.mdx`.":                                                  "",
		"Updated guides/start.mdx and `guides/other.mdx`.":                             "guides/other.mdx was not changed",
		"I've fixed the typo in `guides/other.mdx`.":                                   "guides/other.mdx was not changed",
		"The page guides/other.mdx was updated.":                                       "guides/other.mdx was not changed",
		"Added a link to `guides/other.mdx` in `guides/start.mdx`.":                    "",
		"Changed the port from `80` to `8080` in `start.mdx`.":                         "",
		"Changed the port from `80` to `9090` in `start.mdx`.":                         `None of the changed files contains "9090"`,
		"Added the flag `--verbose` to the command.":                                   `None of the changed files contains "--verbose"`,
		"Removed `old.mdx` and created the page `guides/new`.":                         "",
		"Replaced `80` with `8080`.":                                                   "",
		"Replaced `lectern` with `serve` in `guides/start.mdx`.":                       `No changed line contains "lectern"`,
		"Removed `lectern serve`.":                                                     `No changed line contains "lectern serve"`,
		"Fixed the port of the `lectern serve` example.":                               "",
		"The page guides/other.mdx now explains ports.":                                "guides/other.mdx was not changed",
		"guides/start.mdx now says `8080`.":                                            "",
		"Updated `guides/other.mdx` before the release section.":                       "guides/other.mdx was not changed",
		"guides/other.mdx was updated before.":                                         "",
		"Moved `old.mdx` to `guides/new.mdx`.":                                         "",
		"- Added **guides/new.mdx** to the navigation in `docs.json`.":                 "",
		"Updated 12 pages.":                                                            "Only 4 files changed",
		"Fixed links on three pages.":                                                  "",
		"`guides/other.mdx` was not changed, because it is about Windows.":             "",
		"`guides/other.mdx` already says so; I left it alone.":                         "",
		"You should update `guides/other.mdx` too.":                                    "",
		"Not changed; please check:\n\n- `guides/other.mdx:3: broken link`":            "",
		"## Updated guides/other.mdx":                                                  "",
		"```\nUpdated guides/other.mdx\n```":                                           "",
		"> Updated guides/other.mdx":                                                   "",
		"Version 2 of the API added `widgets`, see `guides/other.mdx`.":                "",
		"Changed in 2 files:\n\n- `docs.json: added a redirect`\n- `guides/start.mdx`": "",
	} {
		got := Check(summary, made)
		switch {
		case why == "" && len(got) > 0:
			t.Errorf("%q: found %v", summary, got)
		case why != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Why, why)):
			t.Errorf("%q: found %v, want %s", summary, got, why)
		}
	}
}

func TestClaimsWithoutChangesAreReported(t *testing.T) {
	for summary, want := range map[string]int{
		"I have updated the quickstart. Everything builds.":            1,
		"Updated the quickstart.\n\n- Added an example\n- Fixed typos": 3,
		"The quickstart was rewritten.":                                1,
		"Nothing was changed: the page already says so.":               0,
		"There is nothing to do. All links work.":                      0,
		"Which version should be documented?":                          0,
		"The word appears on no page.":                                 0,
	} {
		if got := Check(summary, nil); len(got) != want {
			t.Errorf("%q: found %v, want %d", summary, got, want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("Updated `a.mdx` and b.mdx; was `x` ``y` fixed.", "a.mdx", "x")
	f.Add("The page was ſplit. ſplit the page", "", "")
	f.Add("- I've added \x00 `", "", "")
	f.Fuzz(func(t *testing.T, summary, path, text string) {
		for _, got := range Check(summary, changes(path, "", text)) {
			if got.Sentence == "" || got.Why == "" {
				t.Errorf("%q: %+v", summary, got)
			}
		}
	})
}
