package layout

import (
	"slices"

	"github.com/lectern-docs/lectern/internal/foundation/i18n"
)

// Count configures the analytics of pages. The zero value means no analytics.
type Count struct {
	Script, Sheet   string                   // paths in the tree
	Event, Feedback string                   // endpoints (see package capability): paths in the tree, or absolute URLs
	Path            func(page string) string // returns the path of a page as readers see it
}

// on reports whether analytics are enabled.
func (c *Count) on() bool { return c.Script != "" }

// counts loads the analytics script and tells it the page's path, because the URL of a page opened from disk is
// meaningless.
func (s *pageWriter) counts() {
	c, d := &s.assets.Count, s.d
	if !c.on() {
		return
	}
	d.Raw(`<meta name="lectern:page"`)
	d.Attr("content", c.Path(s.p.Page.Path))
	d.Raw(">\n")
	s.sheet(c.Sheet)
	d.Raw("<script defer")
	d.Attr("src", s.links.File(c.Script))
	d.Attr("data-count", s.endpoint(c.Event))
	d.Attr("data-feedback", s.endpoint(c.Feedback))
	d.Raw("></script>\n")
}

// endpoint returns the URL of an analytics endpoint, relative to the page.
func (s *pageWriter) endpoint(at string) string {
	if relative(at) {
		return s.links.File(at)
	}
	return at
}

// feedback writes the form that asks whether the page was helpful. The form is hidden until a script shows it. The
// script sends the answer and takes its messages from the form.
func (s *pageWriter) feedback() {
	d, w := s.d, i18n.FeedbackOf(s.code)
	if !s.assets.Count.on() || s.site.NoThumbs {
		return
	}
	d.Raw(`<section class="feedback feedback-toolbar" data-platform data-feedback hidden`)
	d.Attr("aria-label", w.Helpful)
	d.Attr("data-report", w.Report)
	d.Attr("data-send", w.Send)
	d.Attr("data-close", s.words.Close)
	d.Attr("data-thanks", w.Thanks)
	d.Attr("data-failed", w.Failed)
	d.Raw(`><div class="feedback-row"><p>`)
	d.Text(w.Helpful)
	d.Raw("</p>")
	for _, b := range [][3]string{{"true", w.Yes, "feedback-thumbs-up"}, {"false", w.No, "feedback-thumbs-down"}} {
		d.Raw(`<button type="button" aria-pressed="false"`)
		s.id(b[2])
		d.Attr("data-helpful", b[0])
		d.Raw(">")
		d.Text(b[1])
		d.Raw("</button>")
	}
	d.Raw("</div><form hidden")
	s.id("feedback-form")
	d.Raw("><label><span>")
	d.Text(w.Comment)
	d.Raw(`</span><textarea name="comment" rows="3" maxlength="2000"`)
	s.id("feedback-form-input")
	d.Raw(`></textarea></label><div class="feedback-row"><button type="submit" class="feedback-send"`)
	s.id("feedback-form-submit")
	d.Raw(">")
	d.Text(w.Send)
	d.Raw(`</button></div></form><p role="status"></p></section>`, "\n")
}

// contribute writes links to the page's source on its code host and to a new issue, if the author enables them.
func (s *pageWriter) contribute() {
	w, p := i18n.SourceOf(s.code), s.p.Page
	var links [][2]string
	if s.site.SuggestEdit.On && p.File != "" {
		links = append(links, [2]string{s.site.Repository.Edit(p.File), w.Edit})
	}
	if s.site.RaiseIssue.On {
		at := s.p.Canonical
		if at == "" {
			at = "/" + p.Path
		}
		links = append(links, [2]string{s.site.Repository.Issue(p.Title, at), w.Issue})
	}
	links = slices.DeleteFunc(links, func(l [2]string) bool { return l[0] == "" })
	if len(links) == 0 {
		return
	}
	d := s.d
	d.Raw(`<p class="contribute" data-platform>`)
	for _, l := range links {
		d.Raw(`<a target="_blank" rel="noopener noreferrer"`)
		d.Attr("href", l[0])
		d.Raw(">")
		d.Text(l[1])
		d.Raw("</a>")
	}
	d.Raw("</p>\n")
}
