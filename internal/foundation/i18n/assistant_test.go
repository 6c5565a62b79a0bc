package i18n

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestAssistantTextsExistInEveryLanguage(t *testing.T) {
	for code := range all {
		a, ok := assistants[code]
		if !ok {
			t.Errorf("%s has no texts for the assistant", code)
		}
		seen := map[string]bool{}
		for _, pair := range a.pairs(assistants["en"]) {
			if pair[1] == "" || strings.TrimSpace(pair[1]) != pair[1] || seen[pair[1]] ||
				code != "en" && pair[0] == pair[1] {
				t.Errorf("%s: %q is the text for %q", code, pair[1], pair[0])
			}
			seen[pair[1]] = true
		}
	}
	var said map[string]string
	if err := json.Unmarshal([]byte(Assistant("de-CH")), &said); err != nil || said["Ask AI"] != "KI fragen" ||
		AskAI("de") != "KI fragen" {
		t.Errorf("%v %v", said, err)
	}
	if FindAnswer("de") != "Antwort finden" || said["Find an answer"] != "Antwort finden" || FindAnswer("") != "Find an answer" {
		t.Errorf("without a model: %q", FindAnswer("de"))
	}
	if Assistant("en") != "" || Assistant("tlh") != "" || AskAI("") != "Ask AI" {
		t.Error("the English texts are not those in the scripts")
	}
}
