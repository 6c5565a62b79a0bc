package i18n

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// codes are the languages that a site file may name.
var codes = strings.Fields(`ar ca cn cs da de en es fi fr fr-CA he hi hu id it ja ja-JP jp ko lv nl no pl pt pt-BR ro ru sv tr uk uz vi
	zh zh-CN zh-Hans zh-Hant zh-TW`)

func TestEveryTextIsTranslatedInEveryLanguage(t *testing.T) {
	en := reflect.ValueOf(Of("en"))
	for _, code := range codes {
		w := reflect.ValueOf(Of(code))
		for i := range w.NumField() {
			name, said, english := w.Type().Field(i).Name, w.Field(i).String(), en.Field(i).String()
			if said == "" || strings.TrimSpace(said) != said {
				t.Errorf("%s: %s is %q", code, name, said)
			}
			if strings.Count(said, "%s") != strings.Count(english, "%s") ||
				strings.Count(said, "%") != strings.Count(english, "%") {
				t.Errorf("%s: %s takes different values than in English: %q", code, name, said)
			}
		}
		if code != "en" && Of(code).Search == Of("en").Search {
			t.Errorf("%s has no texts of its own", code)
		}
	}
}

func TestSiteFileCodesMapToBrowserCodes(t *testing.T) {
	for code, want := range map[string]string{"": "en", "cn": "zh-Hans", "zh-TW": "zh-Hant", "jp": "ja",
		"pt-br": "pt-BR", "de": "de", "xx": "xx"} {
		if got := Tag(code); got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
	for code, want := range map[string]string{"de-CH": "Suchen", "nb": "Søk", "xx": "Search", "": "Search",
		"zh-HK": "搜尋"} {
		if got := Of(code).Search; got != want {
			t.Errorf("%q: %q, want %q", code, got, want)
		}
	}
	if Name("xx-weird") != "xx-weird" || Name("fr-CA") != "Français (Canada)" || Name("cn") != "简体中文" {
		t.Error("a language has the wrong name")
	}
	if !RightToLeft("ar") || !RightToLeft("he-IL") || RightToLeft("de") {
		t.Error("a language has the wrong direction")
	}
}

func TestScriptTableIsKeyedByEnglishText(t *testing.T) {
	if Script("en") != "" || Script("xx") != "" {
		t.Error("English has a table")
	}
	var said map[string]string
	if err := json.Unmarshal([]byte(Script("de")), &said); err != nil || said["Copy"] != "Kopieren" ||
		said["Copied"] != "Kopiert" {
		t.Errorf("%v %v", said, err)
	}
}

// Each text that a script looks up by its English form must be in the table.
func TestTextsUsedByScriptsAreTranslated(t *testing.T) {
	var said map[string]string
	if err := json.Unmarshal([]byte(Script("de")), &said); err != nil {
		t.Fatal(err)
	}
	asks := regexp.MustCompile(`[^.\w]word\("([^"]+)"\)`)
	found := 0
	for name, data := range modules(t) {
		for _, m := range asks.FindAllStringSubmatch(data, -1) {
			found++
			if said[m[1]] == "" {
				t.Errorf("%s uses %q, which no language has", name, m[1])
			}
		}
	}
	if found == 0 {
		t.Error("no script uses a text")
	}
}
