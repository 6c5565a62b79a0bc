package rules

import "testing"

func TestGivenTextExcludesSentencePunctuation(t *testing.T) {
	for prompt, want := range map[string]string{
		`Set the description of guides/start.mdx to "How to begin".`:                  "How to begin",
		`Set the description of guides/start.mdx to: Puts the folder live.`:           "Puts the folder live.",
		`guides/start.mdx has no description, please use: Puts the folder live.`:      "Puts the folder live.",
		`Set the alt text of images/dark/plan.png in guides/start.mdx to "The plan".`: "The plan",
		`The description of the home page should be 'All about cups'.`:                "All about cups",
	} {
		got := theGrammar().read(prompt)
		if len(got.tasks) != 1 || got.tasks[0].Text != want || len(got.unclear)+len(got.asks) > 0 {
			t.Errorf("%q: %+v, unclear %q, asks %q", prompt, got.tasks, got.unclear, got.asks)
		}
	}
}
