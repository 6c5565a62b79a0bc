package i18n

import "encoding/json"

// Script is what scripts say in the language, by the English word, as a JSON object: <html data-words> carries it.
// "" for English, which the scripts speak by themselves.
func Script(code string) string {
	w, en := Of(code), all["en"]
	if w == en {
		return ""
	}
	said := map[string]string{}
	for _, pair := range [][2]string{
		{en.Search, w.Search}, {en.SearchHint, w.SearchHint}, {en.NoResults, w.NoResults}, {en.Searching, w.Searching},
		{en.Select, w.Select}, {en.Open, w.Open}, {en.Close, w.Close}, {en.Copy, w.Copy}, {en.Copied, w.Copied},
		{en.CopyFailed, w.CopyFailed}, {en.CopyPage, w.CopyPage}, {en.Menu, w.Menu}, {en.Spelling, w.Spelling}, {en.Clear, w.Clear}, {en.Recent, w.Recent},
		{en.SearchFailed, w.SearchFailed}, {en.Retry, w.Retry}, {en.Selected, w.Selected}, {en.LinkCopied, w.LinkCopied},
	} {
		said[pair[0]] = pair[1]
	}
	for _, pair := range dialogOf(code).pairs(dialogs["en"]) {
		said[pair[0]] = pair[1]
	}
	out, err := json.Marshal(said)
	if err != nil { // strings always can be written
		return ""
	}
	return string(out)
}
