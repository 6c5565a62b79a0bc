package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/wire"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// DefaultURL is Anthropic's own server.
const DefaultURL = "https://api.anthropic.com"

const (
	version   = "2023-06-01" // version of the API that servers and gateways support
	maxTokens = 8192         // of an answer, if the caller sets no limit
)

// Options selects the model and its server.
type Options struct {
	URL   string // default DefaultURL; /v1/messages is added
	Key   llm.Key
	Model string // name of the model on the server
	Retry llm.Retry
	Quiet time.Duration     // longest silence; 0 = wire's default
	HTTP  http.RoundTripper // nil: a separate transport
}

type driver struct {
	model string
	wire  *wire.Client
}

// New returns a model. It is safe for concurrent use.
func New(opt Options) (llm.Model, error) {
	if opt.Model == "" {
		return nil, fault.New(fault.Invalid, "missing_field", "The model has no name.").WithField("model")
	}
	if opt.URL == "" {
		opt.URL = DefaultURL
	}
	client, err := wire.New(wire.Options{
		URL: strings.TrimSuffix(strings.TrimRight(opt.URL, "/"), "/v1") + "/v1/messages", Key: opt.Key,
		Retry: opt.Retry, Quiet: opt.Quiet, HTTP: opt.HTTP,
		Header: func(h http.Header) {
			h.Set("Accept", "text/event-stream")
			h.Set("Anthropic-Version", version)
			if key := opt.Key.Reveal(); key != "" {
				h.Set("X-Api-Key", key)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return &driver{model: opt.Model, wire: client}, nil
}

// Answer continues a conversation.
func (d *driver) Answer(ctx context.Context, ask llm.Ask, heard func(piece string)) (llm.Completion, error) {
	if err := ask.Check(); err != nil {
		return llm.Completion{}, err
	}
	body, err := json.Marshal(d.request(ask))
	if err != nil {
		return llm.Completion{}, fmt.Errorf("write request: %w", err)
	}
	var answer llm.Completion
	err = d.wire.Post(ctx, body, func(r *wire.Reply) error {
		m := &message{heard: heard}
		if err := m.read(r); err != nil {
			return err
		}
		answer, err = m.answer()
		return err
	})
	if err != nil {
		return llm.Completion{}, err
	}
	answer.Calls = ask.Named(answer.Calls)
	if answer.Model == "" {
		answer.Model = d.model
	}
	return answer, nil
}
