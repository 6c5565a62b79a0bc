package adminapi

import (
	"github.com/lectern-docs/lectern/internal/ai/aistream"
	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
)

// askAssistant streams the answer to a question about a site, in the same format as the site itself.
func (a *api) askAssistant(c *call) (response, error) {
	return a.answerQuestion(c, aistream.UIMessages)
}

// askAssistantV1 does the same for clients of AI SDK 4, which uses a different stream format.
func (a *api) askAssistantV1(c *call) (response, error) {
	return a.answerQuestion(c, aistream.DataParts)
}

func (a *api) answerQuestion(c *call, form aistream.Form) (response, error) {
	in, err := assistanthttp.ParseAsk(c.body)
	if err != nil {
		return response{}, err
	}
	if err := a.hasAssistant(); err != nil {
		return response{}, err
	}
	p, l, origin, err := a.findSite(c, "filter.groups", in.Groups)
	if err != nil {
		return response{}, err
	}
	if !l.Searchable() {
		return response{}, fault.New(fault.Conflict, "no_search_index", "This site has no search index.").
			WithHint("The site was published before the assistant was turned on. Publish it again.")
	}
	release, err := a.AnswerLimiter.Admit(c.ctx(), p.ID, "", c.w.Header())
	if err != nil {
		return response{}, err
	}
	defer release()
	in.Thread.Reader = in.Fingerprint // the customer's program identifies its readers
	talk, err := a.Conversations.Open(c.ctx(),
		assistant.Visit{ProjectID: p.ID, Library: l, Caller: conversation.API, Thread: in.Thread})
	if err != nil {
		return response{}, err
	}
	c.unbound()
	a.AnswerLimiter.Answer(c.ctx(), c.w, a.Conversations, talk, in.Question,
		assistanthttp.Reply{Base: origin, Form: form})
	return response{streamed: true}, nil
}

// hasAssistant rejects requests if the assistant is off.
func (a *api) hasAssistant() error {
	if f := a.Deployment.Features.Assistant; !f.Enabled || a.Conversations == nil {
		return fault.New(fault.Forbidden, "feature_unavailable", "The assistant is turned off on this server.").
			WithHint(f.Reason)
	}
	return nil
}
