package llmtest_test

import (
	"encoding/json"
	"net/http"
	"testing"

	official "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/ai/llm/openai"
)

// The official client is the reference for both sides: for the same conversation it sends the same request, and it
// reads the same answer from our strict server.
func TestOfficialOpenAIClientAgreesWithDriver(t *testing.T) {
	step := llmtest.Use("All – done.", "read", `{"path":"a \"b\""}`, "finish", `{}`)
	step.Answer.Usage = llm.Usage{Input: 1000, Cached: 600, Output: 44}
	server := llmtest.Start(t, llmtest.Options{Dialect: llmtest.OpenAI, Script: llmtest.Script{{}, {}, step}})
	sent := &llmtest.Recorder{}
	model, err := openai.New(openai.Options{URL: server.URL, Key: llm.NewKey(server.Key), Model: server.Model,
		HTTP: sent})
	if err != nil {
		t.Fatal(err)
	}
	ask := llmtest.Conversation()
	got, err := model.Answer(t.Context(), ask, nil)
	if err != nil {
		t.Fatal(err)
	}

	service := official.NewChatCompletionService(option.WithBaseURL(server.URL+"/v1"), option.WithAPIKey(server.Key),
		option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Transport: sent}))
	stream := service.NewStreaming(t.Context(), openaiParams(t, server.Model, ask))
	var heard official.ChatCompletionAccumulator
	for stream.Next() {
		if !heard.AddChunk(stream.Current()) {
			t.Fatalf("the official client does not take %s", stream.Current().RawJSON())
		}
	}
	if err := stream.Err(); err != nil {
		t.Fatal(err)
	}
	sent.SameBody(t)

	said := heard.Choices[0]
	if said.Message.Content != got.Text || heard.Usage.PromptTokens != got.Usage.Input ||
		heard.Usage.PromptTokensDetails.CachedTokens != got.Usage.Cached ||
		heard.Usage.CompletionTokens != got.Usage.Output || heard.Model != got.Model ||
		said.FinishReason != "tool_calls" || got.Stop != llm.Calling {
		t.Errorf("the official client heard %+v, the driver %+v", heard.ChatCompletion, got)
	}
	if len(said.Message.ToolCalls) != len(got.Calls) {
		t.Fatalf("calls %+v, want %+v", got.Calls, said.Message.ToolCalls)
	}
	for i, c := range said.Message.ToolCalls {
		if got.Calls[i].ID != c.ID || got.Calls[i].Name != c.Function.Name ||
			string(got.Calls[i].Input) != c.Function.Arguments {
			t.Errorf("call %+v, want %+v", got.Calls[i], c)
		}
	}
}

// openaiParams converts a request to the official client's types.
func openaiParams(t *testing.T, model string, ask llm.Ask) official.ChatCompletionNewParams {
	out := official.ChatCompletionNewParams{Model: model, MaxTokens: official.Int(int64(ask.MaxTokens)),
		StreamOptions: official.ChatCompletionStreamOptionsParam{IncludeUsage: official.Bool(true)},
		Messages:      []official.ChatCompletionMessageParamUnion{official.SystemMessage(ask.Instructions)}}
	for _, tool := range ask.Tools {
		p := official.FunctionDefinitionParam{Name: tool.Name}
		if err := json.Unmarshal(tool.Input, &p.Parameters); err != nil {
			t.Fatal(err)
		}
		if tool.Description != "" {
			p.Description = official.String(tool.Description)
		}
		out.Tools = append(out.Tools, official.ChatCompletionFunctionTool(p))
	}
	for _, turn := range ask.Turns {
		for _, r := range turn.Results {
			text := r.Text
			if r.Failed {
				text = "Error: " + text
			}
			out.Messages = append(out.Messages, official.ToolMessage(text, r.CallID))
		}
		switch {
		case turn.From == llm.Assistant:
			m := official.AssistantMessage(turn.Text)
			for _, c := range turn.Calls {
				m.OfAssistant.ToolCalls = append(m.OfAssistant.ToolCalls,
					official.ChatCompletionMessageToolCallUnionParam{
						OfFunction: &official.ChatCompletionMessageFunctionToolCallParam{ID: c.ID,
							Function: official.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name,
								Arguments: string(c.Input)}}})
			}
			out.Messages = append(out.Messages, m)
		case turn.Text != "":
			out.Messages = append(out.Messages, official.UserMessage(turn.Text))
		}
	}
	return out
}
