package assistant_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/lectern-docs/lectern/internal/ai/assistant"
	"github.com/lectern-docs/lectern/internal/ai/assistant/assistanttest"
	"github.com/lectern-docs/lectern/internal/ai/llm"
	"github.com/lectern-docs/lectern/internal/ai/llm/llmtest"
	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/site/link"
	"github.com/lectern-docs/lectern/internal/testkit/tier"
)

// given is a passage as it was sent to a model.
type given struct {
	number int
	path   string
	text   string
}

var (
	passageStart = regexp.MustCompile(`(?m)^\[(\d+)\]\n<untrusted mark="([0-9a-f]+)" from="passage ([^"]*)">\n`)
	fenced       = regexp.MustCompile("(?ms)^ *```.*?(^ *```|\\z)")
	quotable     = regexp.MustCompile(`[A-Za-z][A-Za-z0-9 ,'-]{18,}[a-z]`)
	quoted       = regexp.MustCompile(`“([^”]+)” \[(\d+)\]`)
)

// passagesIn parses the passages in a text that was sent to a model.
func passagesIn(text string) (out []given) {
	for _, m := range passageStart.FindAllStringSubmatchIndex(text, -1) {
		number, err := strconv.Atoi(text[m[2]:m[3]])
		body, _, ended := strings.Cut(text[m[1]:], "\n</untrusted mark=\""+text[m[4]:m[5]]+"\">")
		_, body, titled := strings.Cut(body, "\n\n")
		if err == nil && ended && titled {
			out = append(out, given{number: number, path: text[m[6]:m[7]], text: body})
		}
	}
	return out
}

// quote returns the longest run of plain words of a passage outside code, or "" if there is none. The Markdown of an
// API page contains its source description as code, with parts that the page does not show, such as the description of
// the whole API.
func (g given) quote() string {
	prose := fenced.ReplaceAllString(g.text, "")
	return slices.MaxFunc(append(quotable.FindAllString(prose, -1), ""), func(a, b string) int { return len(a) - len(b) })
}

// quotingModel searches for the question and reads the first page that it was given, then quotes every passage, the
// last one first, with the passage's number. It also cites a passage that does not exist.
func quotingModel(ask llm.Ask) llm.Completion {
	last := ask.Turns[len(ask.Turns)-1]
	if len(last.Results) == 0 {
		_, question, _ := strings.Cut(last.Text, "The reader's question:\n")
		page := "/"
		if list := passagesIn(last.Text); len(list) > 0 {
			page, _, _ = strings.Cut(list[0].path, "#")
		}
		return llm.Completion{Stop: llm.Calling, Calls: []llm.Call{
			{Name: "search_docs", Input: object(map[string]string{"query": question})},
			{Name: "read_page", Input: object(map[string]string{"path": page})},
		}}
	}
	var all []given
	for _, t := range ask.Turns {
		all = append(all, passagesIn(t.Text)...)
		for _, r := range t.Results {
			all = append(all, passagesIn(r.Text)...)
		}
	}
	var b strings.Builder
	for _, g := range slices.Backward(all) {
		if q := g.quote(); q != "" {
			b.WriteString("“" + q + "” [" + strconv.Itoa(g.number) + "]\n\n")
		}
	}
	return llm.Completion{Stop: llm.Done, Text: b.String() + "Invented [999]."}
}

func object(fields map[string]string) json.RawMessage {
	raw, err := json.Marshal(fields)
	if err != nil {
		panic(err) // encoding a map of strings cannot fail
	}
	return raw
}

// place returns the text of a published page: from the element with the path's anchor to the next heading that is not
// below it, or the whole page if the path has no anchor. The second result is false if the page has no such anchor.
func place(t *testing.T, l *sitereader.Library, path string) (string, bool) {
	t.Helper()
	address, anchor, _ := strings.Cut(path, "#")
	page, err := l.Page(t.Context(), address)
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return "", false
	}
	raw, err := l.File(t.Context(), link.File(page.Path), 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := html.Parse(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	level, ended := 0, false
	for n := range tree.Descendants() {
		switch {
		case n.Type == html.TextNode && (level > 0 || anchor == "") && !ended && n.Parent.DataAtom != atom.Script:
			b.WriteString(n.Data)
		case n.Type != html.ElementNode:
		case anchor != "" && hasID(n, anchor):
			level = cmp.Or(headingLevel(n), 7)
		case headingLevel(n) > 0 && headingLevel(n) <= level:
			ended = true
		case !slices.Contains(inline, n.DataAtom):
			b.WriteString("\n")
		}
	}
	return b.String(), level > 0 || anchor == ""
}

// inline lists elements that do not start a new word.
var inline = []atom.Atom{atom.A, atom.Code, atom.Span, atom.Em, atom.Strong, atom.Kbd}

func hasID(n *html.Node, id string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "id" && a.Val == id })
}

// headingLevel returns 1 to 6 for a heading, 0 for other elements.
func headingLevel(n *html.Node) int {
	return 1 + slices.Index([]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, n.DataAtom)
}

// lettersOf normalizes a text for comparison: lower-case letters and digits, with single spaces between words.
func lettersOf(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}), " ")
}

// retrievedFloor is the minimum share of answerable questions for which the model is given the answer before it
// searches by itself. The measured share is a few percentage points higher.
const retrievedFloor = 0.7

// C7: for each judged question, a model quotes the passages that it was given. Each citation in the answer leads to the
// section of the published page that contains the quoted words, whatever number the passage had for the model.
// Citations of other passages are removed.
func TestCitationsLinkToTheQuotedText(t *testing.T) {
	l, err := ownDocs()
	if err != nil {
		t.Fatal(err)
	}
	list, err := assistanttest.Questions()
	if err != nil {
		t.Fatal(err)
	}
	steps := slices.Repeat(llmtest.Script{{Reply: quotingModel}}, 6) // earlier answers of a conversation count as steps
	// Only nightly runs ask all questions.
	every := tier.Choose(2, 1)
	asked := 0
	checked, retrieved, answerable := 0, map[bool]int{}, map[bool]int{}
	for i, d := range []llmtest.Dialect{llmtest.Anthropic, llmtest.OpenAI} {
		s := llmtest.Start(t, llmtest.Options{Dialect: d, Script: steps})
		a := open(t, s, d)
		for n, j := range list {
			if n%2 != i || n/2%every != 0 {
				continue
			}
			asked++
			before := len(s.Asks())
			r := a.Answer(t.Context(), l, readersQuestion(j), func(string) error { return nil })
			asks := s.Asks()[before:]
			if r.Err != nil || len(asks) == 0 && (!j.Outside || r.Type.Answers()) { // a greeting is not sent to a model
				t.Errorf("%q: %d asks, %+v", j.Text, len(asks), r)
			}
			if len(asks) == 0 {
				continue
			}
			checked += checkCitations(t, l, j.Text, r)
			if !j.Outside && !j.Language {
				answerable[j.KeptApart()]++
				if wasGiven(j, asks[0]) {
					retrieved[j.KeptApart()]++
				}
			}
		}
	}
	t.Logf("%d citations checked; the model was given the answer of %d of %d questions that are tuned with, %d of %d kept apart",
		checked, retrieved[false], answerable[false], retrieved[true], answerable[true])
	if checked < 4*asked {
		t.Errorf("only %d citations were checked", checked)
	}
	for kept, all := range answerable {
		if float64(retrieved[kept]) < retrievedFloor*float64(all) {
			t.Errorf("kept apart %v: the model was given the answer of %d of %d questions", kept, retrieved[kept], all)
		}
	}
}

// checkCitations compares the quotations in an answer with the places that they cite, and returns the number of
// quotations.
func checkCitations(t *testing.T, l *sitereader.Library, question string, r assistant.Result) int {
	t.Helper()
	if strings.Contains(r.Text, "999") {
		t.Errorf("%q: an invalid citation is left in %q", question, r.Text)
	}
	all, cited := quoted.FindAllStringSubmatch(r.Text, -1), map[int]bool{}
	for _, m := range all {
		n, err := strconv.Atoi(m[2])
		if err != nil || n < 1 || n > len(r.Sources) || r.Sources[n-1].Number != n {
			t.Errorf("%q: %s is not one of the %d sources", question, m[0], len(r.Sources))
			continue
		}
		cited[n] = true
		text, ok := place(t, l, r.Sources[n-1].Path)
		if !ok {
			t.Errorf("%q: the page has no heading %s", question, r.Sources[n-1].Path)
		} else if !strings.Contains(lettersOf(text), lettersOf(m[1])) {
			t.Errorf("%q: %s does not say %q", question, r.Sources[n-1].Path, m[1])
		}
	}
	if len(cited) != len(r.Sources) {
		t.Errorf("%q: %d sources, and the answer cites %d", question, len(r.Sources), len(cited))
	}
	return len(all)
}

// wasGiven reports whether a passage in the first request to a model contains the answer.
func wasGiven(j assistanttest.Judged, ask llm.Ask) bool {
	return slices.ContainsFunc(passagesIn(ask.Turns[len(ask.Turns)-1].Text), func(g given) bool {
		return j.CitesPage(assistanttest.Answer{Cites: []string{g.path}}) && j.Has(g.text)
	})
}
