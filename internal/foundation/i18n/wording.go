package i18n

import (
	"maps"
	"strings"
)

// Words holds the texts of one language. Texts with %s take one name or URL.
type Words struct {
	Name string // of the language, in that language

	Search, SearchHint, NoResults, Searching, Select, Open, Close      string
	Spelling, Clear, Recent, SearchFailed, Retry, Selected, LinkCopied string
	Menu, Contents, Previous, Next, More, Earlier                      string
	Copy, Copied, CopyFailed                                           string
	SignIn, SignOut                                                    string // of a private site
	Skip, NotFound, NotFoundText, Home, Moved, Notice                  string
	Updated, Related, Scheme, Language, Version                        string
	Sections, Pages, Site, Examples                                    string // names of landmarks, for screen readers

	// The menu of actions on a page.
	CopyPage, Options, CopyText, View, ViewText, OpenIn, Ask, Prompt, CopyMCP, CopyCommand, Connect, Download string
}

var all = joined(fromEn, fromAr, fromHe, fromNl, fromTr)

func joined(parts ...map[string]Words) map[string]Words {
	out := map[string]Words{}
	for _, p := range parts {
		maps.Copy(out, p)
	}
	return out
}

// Of returns the texts of a language, or the English texts if the language is unknown. It ignores the region if the
// region has no texts of its own.
func Of(code string) Words {
	if w, ok := all[Tag(code)]; ok {
		return w
	}
	if w, ok := all[base(code)]; ok {
		return w
	}
	return all["en"]
}

// Name returns the language's own name for itself, or the code if the language is unknown.
func Name(code string) string {
	switch strings.ToLower(code) {
	case "fr-ca":
		return "Français (Canada)"
	case "":
		return ""
	}
	if w, ok := all[Tag(code)]; ok {
		return w.Name
	}
	if w, ok := all[base(code)]; ok {
		return w.Name
	}
	return code
}

// Tag converts a language code from a site file to the code for browsers and search engines.
func Tag(code string) string {
	switch strings.ToLower(code) {
	case "":
		return "en"
	case "cn", "zh", "zh-cn", "zh-hans":
		return "zh-Hans"
	case "zh-tw", "zh-hant", "zh-hk":
		return "zh-Hant"
	case "jp", "ja-jp":
		return "ja"
	case "ua":
		return "uk"
	case "pt-br":
		return "pt-BR"
	case "fr-ca":
		return "fr-CA"
	}
	return code
}

func base(code string) string {
	lang, _, _ := strings.Cut(strings.ToLower(code), "-")
	if lang == "nb" || lang == "nn" {
		return "no"
	}
	return Tag(lang)
}

// RightToLeft reports whether a language is written from right to left.
func RightToLeft(code string) bool {
	lang, _, _ := strings.Cut(strings.ToLower(code), "-")
	switch lang {
	case "ar", "he", "fa", "ur", "ps", "yi", "ckb", "dv", "sd", "ug":
		return true
	}
	return false
}
