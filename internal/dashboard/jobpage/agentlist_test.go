package jobpage

import "testing"

// The abilities of the rule-based model are listed where it is available, and expanded where it is the only model.
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
