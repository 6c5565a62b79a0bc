package layout

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/i18n"
	"github.com/lectern-docs/lectern/internal/site"
)

// Assistant lists the files that pages load when a reader opens the assistant, as paths in the tree.
type Assistant struct {
	Script, Style string // both "" = no assistant
	Quotes        bool   // there is no language model, so the assistant only quotes pages
	Engine, Index string // if it runs in the reader's browser: the search engine and the entry of its index; otherwise ""
}

func (a Assistant) on() bool { return a.Script != "" }

// askButton writes the button that opens the assistant, with the page's data for the assistant. A script shows the
// button. It writes nothing if the site has no assistant.
func (s *pageWriter) askButton() {
	a := s.assets.Assistant
	if !a.on() {
		return
	}
	const probe = "lectern"
	d, label := s.d, s.askLabel()
	d.Raw(`<button class="ask-button" type="button" data-ask data-assistant hidden`)
	s.id("assistant-entry")
	d.Attr("data-script", s.links.File(a.Script))
	d.Attr("data-style", s.links.File(a.Style))
	if a.Engine != "" {
		d.Attr("data-engine", s.links.File(a.Engine))
		d.Attr("data-index", s.links.File(a.Index))
	} else {
		d.Attr("data-api", s.links.File(strings.TrimPrefix(capability.AskPath, "/")))
	}
	if a.Quotes {
		d.Raw(" data-quotes")
	}
	d.Attr("data-root", strings.TrimSuffix(s.links.File(probe), probe))
	d.Attr("data-suffix", s.suffix())
	d.Attr("data-path", s.path())
	d.AttrIf("data-language", s.code)
	if here, _ := s.level(site.KindVersion); here != nil {
		d.AttrIf("data-version", here.node.Title)
	}
	d.AttrIf("data-words", i18n.Assistant(s.code))
	d.Attr("title", label)
	d.Raw(` aria-keyshortcuts="Meta+I Control+I">`)
	s.askSign("line-icon")
	d.Raw("<span data-platform>")
	d.Text(label)
	d.Raw("</span></button>\n")
}

// askLabel returns the label of the button. Without a language model, the label says that the assistant finds answers,
// because it does not generate them.
func (s *pageWriter) askLabel() string {
	if s.assets.Assistant.Quotes {
		return i18n.FindAnswer(s.code)
	}
	return i18n.AskAI(s.code)
}

// path returns the page's path as readers see it.
func (s *pageWriter) path() string {
	return "/" + strings.TrimPrefix(strings.TrimSuffix("/"+s.p.Page.Path, "/index"), "/")
}

// askSign draws the icon of the assistant.
func (s *pageWriter) askSign(class string) {
	s.d.Raw("<svg")
	s.d.Attr("class", class)
	s.d.Raw(` viewBox="0 0 24 24" aria-hidden="true"><path`)
	s.d.Attr("d", drawn["ask"])
	s.d.Raw("/></svg>")
}

// suffix returns the suffix of page URLs: ".html", or "" if the server adds it.
func (s *pageWriter) suffix() string {
	if strings.HasSuffix(s.links.Page("lectern", ""), ".html") {
		return ".html"
	}
	return ""
}

// askPage writes the element for the conversation on a page with the mode "assistant".
func (s *pageWriter) askPage() {
	if s.mode == modeAssistant {
		s.d.Raw(`<div class="ask-page" data-ask-page data-platform></div>`, "\n")
	}
}

// modeAssistant is the mode of a page that shows a conversation. Without an assistant, it has no effect.
const modeAssistant = "assistant"
