package openai_test

import (
	"testing"

	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/ai/llm/openai"
)

func open(t testing.TB, to llmtest.Target) llm.Model {
	t.Helper()
	m, err := openai.New(openai.Options{URL: to.URL, Key: to.Key, Model: to.Model, Retry: to.Retry, Quiet: to.Quiet})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestDriverPassesConformanceSuite(t *testing.T) { llmtest.Run(t, llmtest.OpenAI, open) }
