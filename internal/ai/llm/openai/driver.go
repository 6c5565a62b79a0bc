package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/wire"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// DefaultURL is OpenAI's own server.
const DefaultURL = "https://api.openai.com/v1"

// Options selects the model and its server.
type Options struct {
	URL   string  // default DefaultURL; an address without a path gets /v1, then /chat/completions is added
	Key   llm.Key // a local server may not need one
	Model string  // name of the model on the server
	Retry llm.Retry
	Quiet time.Duration     // longest silence; 0 = wire's default
	HTTP  http.RoundTripper // nil: a separate transport
}

type driver struct {
	model string
	newer bool // the server is OpenAI's own, which has renamed the field for the maximum length of an answer
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
	opt.URL = strings.TrimRight(opt.URL, "/")
	d := &driver{model: opt.Model}
	if u, err := url.Parse(opt.URL); err == nil {
		host := u.Hostname()
		d.newer = host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com")
		if u.Path == "" {
			opt.URL += "/v1"
		}
	}
	var err error
	d.wire, err = wire.New(wire.Options{
		URL: opt.URL + "/chat/completions", Key: opt.Key, Retry: opt.Retry, Quiet: opt.Quiet, HTTP: opt.HTTP,
		Header: func(h http.Header) {
			h.Set("Accept", "text/event-stream, application/json")
			if key := opt.Key.Reveal(); key != "" {
				h.Set("Authorization", "Bearer "+key)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return d, nil
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
		c := &completion{heard: heard}
		if err := c.read(r); err != nil {
			return err
		}
		answer, err = c.answer(len(body))
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
