package config

import "testing"

func TestModelsHaveAKindAndAName(t *testing.T) {
	for in, want := range map[string][2]string{"builtin": {"builtin", ""}, "command": {"command", ""},
		"anthropic:big-1": {"anthropic", "big-1"}, "openai:org/small:free": {"openai", "org/small:free"}} {
		if kind, name, err := SplitModel(in); err != nil || kind != want[0] || name != want[1] {
			t.Errorf("%s: %q %q %v", in, kind, name, err)
		}
	}
	for _, bad := range []string{"", "gpt", "openai", "openai:", "anthropic: x", "builtin:x", "other:x", "openai:a b"} {
		if _, _, err := SplitModel(bad); err == nil {
			t.Errorf("%q is accepted as a model", bad)
		}
	}
}

func TestPriceIsFoundByModel(t *testing.T) {
	s := &Server{AgentModels: []string{"anthropic:a=b", "builtin"}, AgentPrices: []string{"anthropic:a=b=3/15.5"}}
	if p := s.AgentPrice("anthropic:a=b"); p.Input != 3 || p.Output != 15.5 {
		t.Errorf("price is %v", p)
	}
	if p := s.AgentPrice("builtin"); p != (Price{}) {
		t.Errorf("price is %v", p)
	}
	for _, bad := range []string{"", "builtin", "builtin=3", "builtin=-1/2", "builtin=x/2", "builtin=1/NaN",
		"other=1/2"} {
		s := &Server{AgentModels: []string{"builtin"}, AgentPrices: []string{bad}}
		if s.checkAgent() == nil {
			t.Errorf("%q is accepted as a price", bad)
		}
	}
}

// A command that runs one model uses that model's price and ignores the others.
func TestPriceOfOneModelComesFromTheEnvironment(t *testing.T) {
	env := NewEnv([]string{"LECTERN_AGENT_PRICES=anthropic:a=3/15,openai:b=1/2"})
	s, err := env.Agent("anthropic:a")
	if p := s.AgentPrice("anthropic:a"); err != nil || p.Input != 3 || p.Output != 15 {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := NewEnv([]string{"LECTERN_AGENT_PRICES=anthropic:a=cheap"}).Agent("anthropic:a"); err == nil {
		t.Error("a price that is not a number is accepted")
	}
}
