package adminapi_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/conversation"
	"github.com/lectern-docs/lectern/internal/serve/assistanthttp"
)

// The descriptions of both assistant operations state the maximum length of a question and of a body.
func TestDescriptionStatesAssistantLimits(t *testing.T) {
	raw, err := os.ReadFile("../../../api/openapi.yaml")
	must(t, err)
	characters := strconv.Itoa(conversation.MaxQuestion/1000) + ",000 characters"
	for _, name := range []string{"askAssistantV1", "askAssistant"} {
		_, rest, _ := strings.Cut(string(raw), "operationId: "+name+"\n")
		words, _, _ := strings.Cut(rest, "requestBody:")
		words = strings.Join(strings.Fields(words), " ")
		for _, limit := range []string{characters + " returns 400",
			strconv.Itoa(assistanthttp.MaxBody>>10) + " KiB returns 413"} {
			if !strings.Contains(words, limit) {
				t.Errorf("%s lacks %q", name, limit)
			}
		}
	}
}
