package daemon

import (
	"github.com/lectern-docs/lectern/internal/ai/agent"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/anthropic"
	"github.com/lectern-docs/lectern/internal/ai/llm/openai"
	"github.com/lectern-docs/lectern/internal/ai/llm/rules"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/domain/agentjob"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Engines creates the engines for agent jobs by model name. The server and `lectern agent run` share it.
type Engines struct {
	config config.Server
	env    config.Env
	exe    string
	retry  llm.Retry
}

// NewEngines returns the engines. exe is the path of this program; retry configures retries of model requests.
func NewEngines(s config.Server, env config.Env, exe string, retry llm.Retry) *Engines {
	return &Engines{config: s, env: env, exe: exe, retry: retry}
}

// Find returns the engine for a model. Whether callers may use the model is checked when a job is created.
func (m *Engines) Find(name string) (agent.Engine, error) {
	if name == agentjob.Submitted {
		return agent.Engine{Submitted: true}, nil
	}
	kind, model, err := config.SplitModel(name)
	if err != nil {
		return agent.Engine{}, fault.Newf(fault.Invalid, "unknown_model", "The model %q is not available on this server.",
			name).WithField("model").WithCause(err)
	}
	price := m.config.AgentPrice(name)
	out := agent.Engine{Price: llm.Price{Input: price.Input, Output: price.Output}}
	switch kind {
	case config.ModelBuiltin:
		out.Model = rules.Model{}
	case config.ModelAnthropic:
		out.Model, err = anthropic.New(anthropic.Options{URL: m.config.AgentAnthropicURL,
			Key: llm.NewKey(m.config.AgentAnthropicKey), Model: model, Retry: m.retry})
	case config.ModelOpenAI:
		out.Model, err = openai.New(openai.Options{URL: m.config.AgentOpenAIURL,
			Key: llm.NewKey(m.config.AgentOpenAIKey), Model: model, Retry: m.retry})
	case config.ModelCommand:
		out.Program, err = m.program()
	}
	return out, err
}

// commandEnv returns the environment variables that the operator lets the program see.
func (m *Engines) commandEnv() []string {
	var out []string
	for _, name := range m.config.AgentCommandEnv {
		if v, ok := m.env[name]; ok {
			out = append(out, name+"="+v)
		}
	}
	return out
}
