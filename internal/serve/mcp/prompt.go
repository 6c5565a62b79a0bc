package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Names of the prompts, which clients show as commands.
const (
	askPrompt     = "ask_docs"
	explainPrompt = "explain_page"
)

// prompts adds prompts for the most common kinds of questions about documentation; they include matching pages.
func (t *tools) prompts(s *sdk.Server) {
	s.AddPrompt(&sdk.Prompt{Name: askPrompt, Title: "Ask the documentation",
		Description: "Answers a question from the documentation of " + t.library.Name() +
			", using the best matching parts of its pages.",
		Arguments: []*sdk.PromptArgument{{Name: "question", Title: "Question", Description: "the question to answer",
			Required: true}},
	}, recoverPrompt(t, t.ask))
	s.AddPrompt(&sdk.Prompt{Name: explainPrompt, Title: "Explain a page",
		Description: "Explains a page of the documentation of " + t.library.Name() + ".",
		Arguments: []*sdk.PromptArgument{{Name: "path", Title: "Page",
			Description: "path of the page, such as /guides/start", Required: true}},
	}, recoverPrompt(t, t.explain))
}

// recoverPrompt is like recoverTool, for prompts, and counts calls.
func recoverPrompt(t *tools, get func(context.Context, map[string]string) (*sdk.GetPromptResult, error)) sdk.PromptHandler {
	return func(ctx context.Context, r *sdk.GetPromptRequest) (out *sdk.GetPromptResult, err error) {
		defer func() {
			if p := recover(); p != nil {
				out, err = nil, t.publicError(fmt.Errorf("get prompt: %v", p))
			}
		}()
		if err := t.allow("prompt"); err != nil {
			return nil, t.publicError(err)
		}
		out, err = get(ctx, r.Params.Arguments)
		if f, ok := fault.As(err); ok && (f.Kind == fault.Invalid || f.Kind == fault.NotFound) {
			return nil, invalid(f.Sentence())
		}
		if err != nil {
			return nil, t.publicError(err)
		}
		return out, nil
	}
}

// invalid returns the protocol's error for invalid arguments.
func invalid(sentence string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: sentence}
}

func (t *tools) ask(ctx context.Context, args map[string]string) (*sdk.GetPromptResult, error) {
	question := args["question"]
	if strings.TrimSpace(question) == "" {
		return nil, fault.New(fault.Invalid, "missing_field", "question is required.").WithField("question")
	}
	hits, err := t.library.Search(ctx, sitereader.Query{Text: question, Limit: defaultHits})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("Answer this question from the documentation of " + t.library.Name() +
		", and cite the paths of the pages you used. " +
		"If needed, read whole pages with read_page and search for more with search_docs. " +
		"If the documentation does not answer it, say so.\n\nQuestion: " + question + "\n")
	if len(hits) > 0 {
		b.WriteString("\n---\n\n")
		t.writeHits(ctx, &b, hits)
	}
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{user(&sdk.TextContent{Text: b.String()})}}, nil
}

func (t *tools) explain(ctx context.Context, args map[string]string) (*sdk.GetPromptResult, error) {
	if strings.TrimSpace(args["path"]) == "" {
		return nil, fault.New(fault.Invalid, "missing_field", "path is required.").WithField("path")
	}
	page, err := t.library.Page(ctx, args["path"])
	if err != nil {
		return nil, err
	}
	part, next := cut(page.Content, 0)
	if next > 0 {
		part += fmt.Sprintf("\n\n[The page continues: call read_page with path %q and offset %d.]\n",
			sitereader.Address(page.Path), next)
	}
	return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{
		user(&sdk.TextContent{Text: "Explain this page of the documentation of " + t.library.Name() +
			": what it is for, what to do, and what to look out for."}),
		user(&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: pageURI(page.Path), MIMEType: "text/markdown",
			Text: part}}),
	}}, nil
}

func user(content sdk.Content) *sdk.PromptMessage {
	return &sdk.PromptMessage{Role: "user", Content: content}
}
