package i18n

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSearchDialogTextsExistInEveryLanguage(t *testing.T) {
	for code := range all {
		d, ok := dialogs[code]
		if !ok {
			t.Errorf("%s has no texts for the search dialog", code)
		}
		for _, pair := range d.pairs(dialogs["en"]) {
			if pair[1] == "" || strings.TrimSpace(pair[1]) != pair[1] || code != "en" && pair[0] == pair[1] {
				t.Errorf("%s: %q is the text for %q", code, pair[1], pair[0])
			}
		}
	}
	var said map[string]string
	if err := json.Unmarshal([]byte(Script("de-CH")), &said); err != nil || said["Clear"] != "Leeren" {
		t.Errorf("%v %v", said, err)
	}
}

// Each text that a script looks up by its English form must have a translation.
func TestDialogTextsUsedByScriptsAreTranslated(t *testing.T) {
	var said map[string]string
	if err := json.Unmarshal([]byte(Script("de")), &said); err != nil {
		t.Fatal(err)
	}
	asked := 0
	for name, data := range modules(t) {
		for _, call := range strings.Split(data, "word(")[1:] {
			inside, _, _ := strings.Cut(call, ")")
			for i, part := range strings.Split(inside, `"`) {
				if i%2 == 0 {
					continue
				}
				asked++
				if said[part] == "" {
					t.Errorf("%s: no translation of %q", name, part)
				}
			}
		}
	}
	if asked < 15 {
		t.Errorf("only %d texts were found in the scripts", asked)
	}
}
