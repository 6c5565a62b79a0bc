package jobpage

import "testing"

// What the rules can do is shown where they are a model, and at once where they are the only one.
func TestAbilitiesAreShownForTheRuleBasedModel(t *testing.T) {
	for _, c := range []struct {
		models      []string
		shown, only bool
	}{{[]string{"builtin"}, true, true}, {[]string{"anthropic:x", "builtin"}, true, false}, {[]string{"anthropic:x"}, false, false},
		{nil, false, false}} {
		if list, only := abilities(c.models); len(list) > 0 != c.shown || only != c.only {
			t.Errorf("%v: %d abilities, only %v", c.models, len(list), only)
		}
	}
}
