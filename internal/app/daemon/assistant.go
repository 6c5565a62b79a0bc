package daemon

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/anthropic"
	"github.com/lectern-docs/lectern/internal/ai/llm/openai"
	"github.com/lectern-docs/lectern/internal/app/config"
	"github.com/lectern-docs/lectern/internal/foundation/id"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
	"github.com/lectern-docs/lectern/internal/serve/auth"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// openAssistant creates the assistant, if the deployment has one.
func (s *server) openAssistant(ctx context.Context) error {
	if !s.features().Features.Assistant.Enabled {
		return nil
	}
	model, err := s.assistantModel()
	if err != nil {
		return err
	}
	// A reader is waiting, so requests to a busy model are retried for a few seconds, not minutes.
	retry := llm.Retry{Tries: 3, First: time.Second, Longest: 5 * time.Second, Total: 8 * time.Second, Random: s.jitter,
		Now: s.Now}
	_, name, _ := strings.Cut(s.Config.AssistantModel, ":")
	d := &assistant.Conversations{Assistant: assistant.New(model, retry).Called(name), Observe: s.countQuestions(),
		Record: s.recorder(),
		IDs:    id.Source{Rand: s.Rand}, Now: s.Now, Logger: s.Logger, Salts: s.Store}
	if s.Config.AssistantKeepFor > 0 {
		d.Keeper = s.Store
	}
	s.conversations = d
	s.answerLimiter = assistanthttp.NewLimiter(assistanthttp.LimiterOptions{Counter: s.counter(), Now: s.Now,
		PerSite: s.Config.AssistantPerSite, Stopping: ctx.Done()})
	return nil
}

// assistantModel returns the model for answers, or nil if the assistant quotes passages. An air-gapped server never
// uses one, regardless of the settings (F7).
func (s *server) assistantModel() (model llm.Model, err error) {
	c := s.Config
	if !c.HasAssistantModel() {
		return model, nil
	}
	kind, name, err := config.SplitModel(c.AssistantModel)
	if err != nil {
		return nil, err
	}
	// streamed output cannot be taken back, so the assistant handles retries itself
	once := llm.Retry{Tries: 1, Now: s.Now}
	if kind == config.ModelAnthropic {
		return anthropic.New(anthropic.Options{URL: c.AssistantEndpoint, Key: llm.NewKey(c.AssistantKey), Model: name,
			Retry: once})
	}
	return openai.New(openai.Options{URL: c.AssistantEndpoint, Key: llm.NewKey(c.AssistantKey), Model: name,
		Retry: once})
}

// chat returns the assistant's endpoint for sites, or nil if there is no assistant.
func (s *server) chat(proxies auth.Proxies) siteapi.Endpoint {
	if s.conversations == nil {
		return nil
	}
	return assistanthttp.New(assistanthttp.Options{Conversations: s.conversations, Limiter: s.answerLimiter,
		Proxies: proxies,
		Counter: s.counter(), Now: s.Now, PerVisitor: s.Config.AssistantPerVisitor, Origins: s.Config.AssistantOrigins})
}

// countQuestions adds the assistant's metrics.
func (s *server) countQuestions() func(assistant.Result, time.Duration) {
	count := s.metrics.Counts("lectern_assistant_questions_total", "Questions to the assistant, by outcome.", "outcome")
	var micros, tokens atomic.Int64
	s.metrics.Counter("lectern_assistant_seconds_total", "Total time of the assistant's answers.",
		func() float64 { return float64(micros.Load()) / 1e6 })
	s.metrics.Counter("lectern_assistant_tokens_total", "Input and output tokens of the assistant's model.",
		func() float64 { return float64(tokens.Load()) })
	return func(r assistant.Result, took time.Duration) {
		count(string(r.Type))
		micros.Add(took.Microseconds())
		tokens.Add(r.Usage.Input + r.Usage.Output)
	}
}
