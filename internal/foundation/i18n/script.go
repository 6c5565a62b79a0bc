package i18n

import "encoding/json"

// Script returns the texts of scripts as a JSON object keyed by the English text, for <html data-words>. It returns
// "" for English, because the scripts contain the English texts.
func Script(code string) string {
	w, en := Of(code), all["en"]
	if w == en {
		return ""
	}
	said := map[string]string{}
	for _, pair := range [][2]string{
		{en.Search, w.Search}, {en.SearchHint, w.SearchHint}, {en.NoResults, w.NoResults}, {en.Searching, w.Searching},
		{en.Select, w.Select}, {en.Open, w.Open}, {en.Close, w.Close}, {en.Copy, w.Copy}, {en.Copied, w.Copied},
		{en.CopyFailed, w.CopyFailed}, {en.CopyPage, w.CopyPage}, {en.Menu, w.Menu}, {en.Spelling, w.Spelling},
		{en.Clear, w.Clear}, {en.Recent, w.Recent},
		{en.SearchFailed, w.SearchFailed}, {en.Retry, w.Retry}, {en.Selected, w.Selected},
		{en.LinkCopied, w.LinkCopied}, {en.More, w.More}, {en.SignOut, w.SignOut},
	} {
		said[pair[0]] = pair[1]
	}
	for _, pair := range dialogOf(code).pairs(dialogs["en"]) {
		said[pair[0]] = pair[1]
	}
	out, err := json.Marshal(said)
	if err != nil { // unreachable: strings always marshal
		return ""
	}
	return string(out)
}
