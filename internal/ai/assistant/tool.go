package assistant

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// tools returns the tools that the model may call.
func tools() []llm.Tool {
	return []llm.Tool{
		{Name: "search_docs",
			Description: "Searches the documentation and returns the best matching parts of pages, numbered for citing. Use few, specific words.",
			Input: json.RawMessage(
				`{"type":"object","properties":{"query":{"type":"string","description":"what to search for, in a few words"}},"required":["query"]}`)},
		{Name: "read_page",
			Description: "Returns a page of the documentation, numbered for citing. Long pages are returned in parts.",
			Input: json.RawMessage(
				`{"type":"object","properties":{"path":{"type":"string","description":"path of the page, such as /guides/start"},"offset":{"type":"integer","description":"where to continue, as given in the previous part; default 0"}},"required":["path"]}`)},
	}
}

// Limits on the calls for one question.
const (
	maxRounds   = 3       // the model is called again after each
	heldRounds  = 2       // maximum if nothing was found for the question itself
	maxCalls    = 4       // in one round
	maxSent     = 160_000 // approximate limit on the bytes of all requests together; the request that exceeds it is the last
	toolHits    = 5
	noMoreCalls = "You have reached the search limit. Answer now from what you have."
)

// call runs one call. The model receives its errors.
func (s *retrieval) call(ctx context.Context, c llm.Call) llm.Result {
	text, err := s.use(ctx, c)
	if err != nil {
		return llm.Result{CallID: c.ID, Text: fault.Public(err), Failed: true}
	}
	return llm.Result{CallID: c.ID, Text: text}
}

func (s *retrieval) use(ctx context.Context, c llm.Call) (string, error) {
	var in struct {
		Query  string `json:"query"`
		Path   string `json:"path"`
		Offset int    `json:"offset"`
	}
	if err := json.Unmarshal(c.Object(), &in); err != nil {
		return "", fault.New(fault.Invalid, "invalid_call", "The input does not match the tool's schema.")
	}
	switch c.Name {
	case "search_docs":
		found, err := s.search(ctx, in.Query, toolHits)
		if err != nil {
			return "", err
		}
		var b strings.Builder
		for _, p := range found {
			b.WriteString(show(s.add(p)) + "\n\n")
		}
		if len(found) == 0 {
			return "Nothing was found.", nil
		}
		return b.String(), nil
	case "read_page":
		p, next, err := s.page(ctx, in.Path, in.Offset)
		if err != nil {
			return "", err
		}
		text := show(s.add(p))
		if next > 0 {
			text += fmt.Sprintf("\n\nThe page continues: call read_page with offset %d.", next)
		}
		return text, nil
	}
	return "", fault.New(fault.Invalid, "invalid_call", "Unknown tool.")
}
