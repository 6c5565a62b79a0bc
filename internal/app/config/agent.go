package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Kinds of models for agent jobs.
const (
	ModelBuiltin   = "builtin"
	ModelCommand   = "command"
	ModelAnthropic = "anthropic"
	ModelOpenAI    = "openai"
)

// modelName matches a vendor's name for a model.
var modelName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$`)

// SplitModel splits a model into its kind and the vendor's name, which is "" if it has none.
func SplitModel(model string) (kind, name string, err error) {
	kind, name, named := strings.Cut(model, ":")
	switch {
	case !named && (kind == ModelBuiltin || kind == ModelCommand):
		return kind, "", nil
	case named && (kind == ModelAnthropic || kind == ModelOpenAI) && modelName.MatchString(name):
		return kind, name, nil
	}
	return "", "", find("agent.models").bad("%q is not builtin, command, anthropic:NAME or openai:NAME.", model)
}

// Price is the price of a million tokens in US dollars.
type Price struct{ Input, Output float64 }

// AgentPrice returns the price of a model, or zero if the operator has set none.
func (s *Server) AgentPrice(model string) Price {
	for _, entry := range s.AgentPrices {
		if m, p, err := parsePrice(entry); err == nil && m == model {
			return p
		}
	}
	return Price{}
}

// parsePrice parses MODEL=IN/OUT.
func parsePrice(entry string) (model string, p Price, err error) {
	i := strings.LastIndexByte(entry, '=')
	if i < 0 {
		return "", p, fmt.Errorf("no =")
	}
	in, out, ok := strings.Cut(entry[i+1:], "/")
	if !ok {
		return "", p, fmt.Errorf("no /")
	}
	for _, side := range []struct {
		text string
		to   *float64
	}{{in, &p.Input}, {out, &p.Output}} {
		if *side.to, err = strconv.ParseFloat(side.text, 64); err != nil || !(*side.to >= 0 && *side.to <= 1e6) {
			return "", p, fmt.Errorf("not a price: %q", side.text)
		}
	}
	return entry[:i], p, nil
}

// checkAgent validates the settings of agent jobs.
func (s *Server) checkAgent() error {
	if len(s.AgentModels) == 0 {
		return find("agent.models").bad("contains no model.")
	}
	for _, m := range s.AgentModels {
		kind, _, err := SplitModel(m)
		if err != nil {
			return err
		}
		if kind == ModelCommand && len(s.AgentCommand) == 0 {
			return find("agent.command").bad("must be set for the model command.")
		}
	}
	for _, entry := range s.AgentPrices {
		model, _, err := parsePrice(entry)
		if err != nil || !slices.Contains(s.AgentModels, model) {
			return find("agent.prices").
				bad(
					"%q must be MODEL=IN/OUT, with a model of agent.models and prices in US dollars per million tokens.", entry)
		}
	}
	for _, u := range [][2]string{{"agent.anthropic-url", s.AgentAnthropicURL},
		{"agent.openai-url", s.AgentOpenAIURL}} {
		if err := checkURL(u[0], u[1]); err != nil {
			return err
		}
	}
	return nil
}

// Agent returns the settings for agents from the environment, for a command that runs one model without a server.
func (e Env) Agent(model string) (Server, error) {
	get := func(key string) string {
		if v := e[EnvName(key)]; v != "" {
			return v
		}
		return find(key).Default
	}
	list := func(key string) []string {
		if v := get(key); v != "" {
			return strings.Split(v, ",")
		}
		return nil
	}
	s := Server{
		AgentModels: []string{model}, AgentAnthropicURL: get("agent.anthropic-url"),
		AgentOpenAIURL: get("agent.openai-url"), AgentCommand: list("agent.command"),
		AgentCommandEnv: list("agent.command-env"), AgentCommandNetwork: get("agent.command-network"),
		AgentCommandFolders: list("agent.command-folders"),
		AgentCommandSandbox: get("agent.command-sandbox"), AgentAllowFiles: list("agent.allow-files"),
		AgentNewHosts: get("agent.new-hosts"),
	}
	for _, entry := range list("agent.prices") { // other models are not needed
		if m, _, err := parsePrice(entry); err != nil || m == model {
			s.AgentPrices = append(s.AgentPrices, entry)
		}
	}
	for _, secret := range []struct {
		key string
		to  *string
	}{{"agent.anthropic-key", &s.AgentAnthropicKey}, {"agent.openai-key", &s.AgentOpenAIKey}} {
		var err error
		if *secret.to, err = readSecret(e, secret.key, get(secret.key+"-file")); err != nil {
			return s, err
		}
	}
	return s, s.checkAgent()
}
