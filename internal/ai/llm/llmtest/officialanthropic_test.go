package llmtest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	official "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/anthropic"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
)

// The official client is the reference for both sides: for the same conversation it sends the same request, and it
// reads the same answer from our strict server.
func TestOfficialAnthropicClientAgreesWithDriver(t *testing.T) {
	step := llmtest.Use("All – done.", "read", `{"path":"a \"b\""}`, "finish", `{}`)
	step.Answer.Usage = llm.Usage{Input: 1000, Cached: 600, Output: 44}
	server := llmtest.Start(t, llmtest.Options{Dialect: llmtest.Anthropic, Script: llmtest.Script{{}, {}, step}})
	sent := &llmtest.Recorder{}
	model, err := anthropic.New(anthropic.Options{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
		HTTP: sent})
	if err != nil {
		t.Fatal(err)
	}
	ask := llmtest.Conversation()
	got, err := model.Answer(t.Context(), ask, nil)
	if err != nil {
		t.Fatal(err)
	}

	service := official.NewMessageService(option.WithBaseURL(server.URL), option.WithAPIKey(server.Key),
		option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: sent}))
	stream := service.NewStreaming(t.Context(), anthropicParams(t, server.Model, ask))
	var message official.Message
	for stream.Next() {
		if err := message.Accumulate(stream.Current()); err != nil {
			t.Fatal(err)
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	sent.SameBody(t)

	var text string
	var calls []llm.Call
	for _, b := range message.Content {
		switch b.Type {
		case "text":
			text += b.Text
		case "tool_use":
			calls = append(calls, llm.Call{ID: b.ID, Name: b.Name, Input: b.Input})
		}
	}
	read := message.Usage.InputTokens + message.Usage.CacheCreationInputTokens + message.Usage.CacheReadInputTokens
	if text != got.Text || read != got.Usage.Input || message.Usage.CacheReadInputTokens != got.Usage.Cached ||
		message.Usage.OutputTokens != got.Usage.Output || string(message.Model) != got.Model ||
		message.StopReason != "tool_use" || got.Stop != llm.Calling {
		t.Errorf("the official client heard %+v, the driver %+v", message, got)
	}
	for i, c := range got.Calls {
		if len(calls) != len(got.Calls) || c.ID != calls[i].ID || c.Name != calls[i].Name ||
			string(c.Input) != string(calls[i].Input) {
			t.Errorf("calls %+v, want %+v", got.Calls, calls)
		}
	}
}

// anthropicParams converts a request to the official client's types.
func anthropicParams(t *testing.T, model string, ask llm.Ask) official.MessageNewParams {
	keep := official.NewCacheControlEphemeralParam()
	out := official.MessageNewParams{Model: official.Model(model), MaxTokens: int64(ask.MaxTokens),
		System: []official.TextBlockParam{{Text: ask.Instructions, CacheControl: keep}}}
	for i, tool := range ask.Tools {
		p := &official.ToolParam{Name: tool.Name}
		if err := json.Unmarshal(tool.Input, &p.InputSchema); err != nil {
			t.Fatal(err)
		}
		if tool.Description != "" {
			p.Description = official.String(tool.Description)
		}
		if i == len(ask.Tools)-1 {
			p.CacheControl = keep
		}
		out.Tools = append(out.Tools, official.ToolUnionParam{OfTool: p})
	}
	for i, turn := range ask.Turns {
		var blocks []official.ContentBlockParamUnion
		for _, r := range turn.Results {
			p := &official.ToolResultBlockParam{ToolUseID: r.CallID}
			if r.Text != "" {
				p.Content = []official.ToolResultBlockParamContentUnion{
					{OfText: &official.TextBlockParam{Text: r.Text}}}
			}
			if r.Failed {
				p.IsError = official.Bool(true)
			}
			if i == len(ask.Turns)-1 {
				p.CacheControl = keep
			}
			blocks = append(blocks, official.ContentBlockParamUnion{OfToolResult: p})
		}
		if turn.Text != "" {
			blocks = append(blocks, official.NewTextBlock(turn.Text))
		}
		for _, c := range turn.Calls {
			blocks = append(blocks, official.NewToolUseBlock(c.ID, c.Input, c.Name))
		}
		if turn.From == llm.User {
			out.Messages = append(out.Messages, official.NewUserMessage(blocks...))
		} else {
			out.Messages = append(out.Messages, official.NewAssistantMessage(blocks...))
		}
	}
	return out
}
