package layout

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// action is one row of the page's menu.
type action struct {
	sign, style string // an icon, and its style
	title, text string
	href        string // "" for a button
	copies      string // data-copy-text: the text that the button copies
	out         bool   // links to another site
	file        bool   // the link is a download
	asks        bool   // opens the assistant
	prints      bool   // prints the page, which browsers can save as PDF
}

// menu returns the page's menu, or the site's if the page has none.
func (s *pageWriter) menu() site.Menu {
	if own := s.p.Page.Details().Menu; own != nil {
		return *own
	}
	return s.site.Menu
}

// pageMenu writes the menu: a button that copies the page, and a list of the other actions. It writes nothing if
// the menu is empty.
func (s *pageWriter) pageMenu() {
	var rows []action
	copies := false
	for _, o := range s.menu().Options {
		if o.Name == "copy" {
			copies = s.p.Twin != ""
		} else if a, ok := s.action(o); ok {
			rows = append(rows, a)
		}
	}
	if !copies && len(rows) == 0 {
		return
	}
	d := s.d
	d.Raw(`<div class="page-menu" data-platform`)
	s.id("page-context-menu")
	d.Raw(">")
	if copies {
		d.Raw(`<button type="button" class="page-copy"`)
		s.id("page-context-menu-button")
		d.Attr("data-copy-page", s.links.File(s.p.Twin))
		d.Attr("data-done", s.words.Copied)
		d.Attr("data-failed", s.words.CopyFailed)
		d.Attr("title", s.words.CopyText)
		d.Raw(
			`><svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true"><rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2.5"/><path d="M15.5 5.5A2 2 0 0 0 13.5 4H6a2 2 0 0 0-2 2v7.5a2 2 0 0 0 1.5 2"/></svg><span data-label>`)
		d.Text(s.words.CopyPage)
		d.Raw("</span></button>")
	}
	if len(rows) > 0 {
		d.Raw(`<details class="menu"><summary`)
		if !copies {
			s.id("page-context-menu-button")
		}
		d.Attr("aria-label", s.words.Options)
		d.Raw("><span>")
		d.Text(s.words.Menu)
		d.Raw(`</span></summary><div class="panel">`)
		for _, a := range rows {
			s.actionRow(a)
		}
		d.Raw("</div></details>")
	}
	d.Raw("</div>")
}

func (s *pageWriter) actionRow(a action) {
	d := s.d
	if a.href != "" {
		d.Raw("<a")
		d.Attr("href", a.href)
		if a.out {
			d.Raw(` target="_blank" rel="noopener noreferrer"`)
		}
		d.Flag("download", a.file)
	} else if a.asks {
		d.Raw(`<button type="button" data-ask hidden`)
	} else if a.prints {
		d.Raw(`<button type="button" data-print`)
	} else {
		d.Raw(`<button type="button"`)
		d.Attr("data-copy-text", a.copies)
		d.Attr("data-done", s.words.Copied)
		d.Attr("data-failed", s.words.CopyFailed)
	}
	d.Raw(">")
	if a.asks { // sites without an assistant do not have this icon in their icon sheet
		s.askSign("nav-icon line-icon")
	} else {
		s.icon(a.sign, a.style)
	}
	d.Raw(`<span class="face"><span data-label>`)
	d.Text(a.title)
	d.Raw("</span>")
	if a.text != "" {
		d.Raw("<small>")
		d.Text(a.text)
		d.Raw("</small>")
	}
	d.Raw("</span>")
	if a.href != "" {
		d.Raw("</a>")
	} else {
		d.Raw("</button>")
	}
}

// assistants lists external assistants that a reader can ask about the page. The question is appended to the URL.
var assistants = map[string]struct{ name, address string }{
	"chatgpt":    {"ChatGPT", "https://chatgpt.com/?hints=search&q="},
	"claude":     {"Claude", "https://claude.ai/new?q="},
	"perplexity": {"Perplexity", "https://www.perplexity.ai/search?q="},
	"grok":       {"Grok", "https://grok.com/?q="},
	"aistudio":   {"Google AI Studio", "https://aistudio.google.com/prompts/new_chat?prompt="},
	"devin":      {"Devin", "https://app.devin.ai/?prompt="},
}

// action returns the row for an option of the site file. ok is false if the option does not apply to this page.
func (s *pageWriter) action(o site.MenuOption) (action, bool) {
	if a, ok := assistants[o.Name]; ok {
		page := s.address()
		question := url.QueryEscape(strings.Replace(s.words.Prompt, "%s", page, 1))
		title := strings.Replace(s.words.OpenIn, "%s", a.name, 1)
		return action{sign: "own:" + o.Name, title: title, text: s.words.Ask, href: a.address + question, out: true},
			page != ""
	}
	switch o.Name {
	case "assistant":
		return action{title: s.askLabel(), text: s.words.Ask, asks: true}, s.assets.Assistant.on()
	case "view":
		return action{sign: "own:view", title: s.words.View, text: s.words.ViewText, href: s.links.File(s.p.Twin)},
			s.p.Twin != ""
	case "download-pdf":
		return action{sign: "own:download", title: i18n.SourceOf(s.code).PDF, prints: true}, true
	case "download-spec":
		if s.p.Spec == "" {
			return action{}, false
		}
		return action{sign: "own:download", title: s.words.Download, href: s.links.File(s.p.Spec), file: true}, true
	case "":
		return s.ownAction(o)
	}
	return s.mcpAction(o.Name)
}

// mcpAction returns the row for an option that uses the site's MCP server. ok is false if the site has none.
func (s *pageWriter) mcpAction(name string) (action, bool) {
	mcp := s.assets.MCP
	if mcp == "" {
		return action{}, false
	}
	connect := func(app string) string { return strings.Replace(s.words.Connect, "%s", app, 1) }
	switch name {
	case "mcp":
		return action{sign: "own:mcp", title: s.words.CopyMCP, text: mcp, copies: mcp}, true
	case "add-mcp":
		command := "npx add-mcp " + mcp
		return action{sign: "own:command", title: s.words.CopyCommand, text: command, copies: command}, true
	case "cursor":
		config, err := json.Marshal(map[string]string{"url": mcp})
		query := url.Values{"name": {s.site.Name}, "config": {base64.StdEncoding.EncodeToString(config)}}
		return action{sign: "own:cursor", title: connect("Cursor"),
			href: "cursor://anysphere.cursor-deeplink/mcp/install?" + query.Encode()}, err == nil
	case "vscode":
		config, err := json.Marshal(map[string]string{"name": s.site.Name, "url": mcp})
		return action{sign: "own:vscode", title: connect("VS Code"),
			href: "vscode:mcp/install?" + url.QueryEscape(string(config))}, err == nil
	}
	return action{}, false
}

// ownAction returns the row for an author's own option. $page stands for the URL of the page's Markdown form, $path for
// the page's path, and $mcp for the URL of the MCP server.
func (s *pageWriter) ownAction(o site.MenuOption) (action, bool) {
	fill := strings.NewReplacer("$page", url.QueryEscape(s.address()), "$path", url.QueryEscape("/"+s.p.Page.Path),
		"$mcp", url.QueryEscape(s.assets.MCP))
	plain := strings.NewReplacer("$page", s.address(), "$path", "/"+s.p.Page.Path, "$mcp", s.assets.MCP)
	href := fill.Replace(o.Href)
	if len(o.Query) > 0 {
		var pairs []string
		for _, q := range o.Query {
			pairs = append(pairs, url.QueryEscape(q.Name)+"="+url.QueryEscape(plain.Replace(q.Content)))
		}
		join := "?"
		if strings.Contains(href, "?") {
			join = "&"
		}
		href += join + strings.Join(pairs, "&")
	}
	href = s.links.Address(href)
	out := strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")
	return action{sign: o.Icon, style: o.IconType, title: o.Title, text: o.Description, href: href, out: out},
		href != "" && o.Title != ""
}

// address returns the public URL of the page's Markdown form, or of the page itself if it has no such form. It returns
// "" if the site's URL is unknown.
func (s *pageWriter) address() string {
	switch {
	case s.assets.Origin != "" && s.p.Twin != "":
		return s.assets.Origin + (&url.URL{Path: "/" + s.p.Twin}).EscapedPath()
	case strings.Contains(s.p.Canonical, "://"):
		return s.p.Canonical
	}
	return ""
}
