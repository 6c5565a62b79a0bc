package i18n

import (
	"reflect"
	"strings"
	"testing"
)

func TestFeedbackTextsExistInEveryLanguage(t *testing.T) {
	en := reflect.ValueOf(FeedbackOf("en"))
	for code := range all {
		own, ok := feedbacks[code]
		if !ok {
			t.Errorf("%s has no texts for feedback", code)
		}
		w := reflect.ValueOf(own)
		for i := range w.NumField() {
			said, name := w.Field(i).String(), w.Type().Field(i).Name
			if said == "" || strings.TrimSpace(said) != said ||
				code != "en" && name != "No" && said == en.Field(i).String() {
				t.Errorf("%s: %q is the text for %s", code, said, name)
			}
		}
	}
	for code, want := range map[string]string{"de-CH": "Ja", "nb": "Ja", "zh-TW": "有", "xx": "Yes", "": "Yes"} {
		if got := FeedbackOf(code).Yes; got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
}
