package endpoint_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/endpoint"
	"github.com/lectern-docs/lectern/internal/domain/event"
)

const public = "https://lectern.example.com"

// slackBody and teamsBody are the formats that the vendors document, written independently of the code under test.
type slackBody struct {
	Text   string
	Blocks []struct {
		Type     string
		Text     *struct{ Type, Text string }
		Elements []struct{ Type, Text string }
	}
}

type teamsBody struct {
	Type        string
	Attachments []struct {
		ContentType string
		Content     struct {
			Type, Version string
			Body          []struct {
				Type    string
				Inlines []struct{ Type, Text string }
			}
			Actions []struct{ Type, Title, URL string }
		}
	}
}

func decode[T any](t *testing.T, raw []byte) (out T) {
	t.Helper()
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEventIsReadableInEveryFormat(t *testing.T) {
	v := event.Event{Actor: "system", Action: "deployment.fail", Target: "dep_" + strings.Repeat("a", 26),
		At:   time.Date(2026, 3, 4, 5, 6, 0, 0, time.UTC),
		Data: map[string]string{"project": "prj_" + strings.Repeat("a", 26), "kind": "production", "branch": "main"}}
	n := endpoint.NewNotice(v, "Acme", map[string]string{v.Data["project"]: "R&D <docs>"}, public)
	const text = "The server could not finish the update dep_aaaaaaaaaaaaaaaaaaaaaaaaaa of R&D <docs> (production) on branch main"
	const note = "deployment.fail · Acme · 4 March 2026, 05:06 UTC"
	link := public + "/dashboard/deployments/" + v.Target
	if n.Text != text || n.Note != note || n.Link != link {
		t.Errorf("%+v", n)
	}
	s := decode[slackBody](t, n.Slack())
	escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
	if s.Text != escaped+" <"+link+"|Open the dashboard>" || len(s.Blocks) != 2 || s.Blocks[0].Text.Text != escaped ||
		s.Blocks[0].Text.Type != "plain_text" || s.Blocks[1].Elements[0].Text != note ||
		s.Blocks[1].Elements[1].Text != "<"+link+"|Open the dashboard>" {
		t.Errorf("%s", n.Slack())
	}
	card := decode[teamsBody](t, n.Teams()).Attachments[0].Content
	if card.Body[0].Inlines[0].Text != text || card.Body[1].Inlines[0].Text != note || card.Actions[0].URL != link {
		t.Errorf("%s", n.Teams())
	}
	if l := n.Letter(public); l.Subject != text || l.Paragraphs[0] != text+"." || l.Link != link ||
		!strings.Contains(l.HTML(), "R&amp;D &lt;docs&gt;") {
		t.Errorf("%+v", l)
	}
}

// hostile are names and values. Each has a text that must not occur in any message, and texts that must not occur in
// messages for Slack or Teams, which would interpret them as markup.
var hostile = []struct{ name, none, slack, teams string }{
	{"<!channel> x", "", "<!", ""},
	{"<@U123> <https://evil.example|click>", "https://", "<", ""},
	{"@channel, x", "", "@channel", ""},
	{"x (@all)", "", "@all", ""},
	{".@channel", "", "@channel", ""},
	{"x-@all", "", "@all", ""},
	{"@@here", "", "@here", ""},
	{"{{{DATE(2017-02-14T06:08:39Z)}}}", "", "", "{{"},
	{"[click](https://evil.example)", "https://", "](", ""},
	{"![x](www.evil.example/x.png)", "www.", "](", ""},
	{"[click][1]", "", "click][", ""},
	{"a\r\nBcc: everybody@example.com", "\n", "", ""},
	{"{{DATE(2017-02-14T06:08:39Z)}}", "", "", "{{"},
	{"<at>Everybody</at>", "", "<", "<at>"},
	{"\u202Egnp.exe", "\u202e", "", ""},
}

// No matter what names people choose, a message mentions nobody, contains no hidden link, and has one line.
func TestHostileNamesAreShownAsText(t *testing.T) {
	for _, c := range hostile {
		v := event.Event{Actor: "mem_" + strings.Repeat("a", 26), Action: "project.create", Target: c.name,
			Data: map[string]string{"domain": c.name}}
		n := endpoint.NewNotice(v, c.name, map[string]string{v.Actor: c.name}, "")
		s, card, l := decode[slackBody](t, n.Slack()), decode[teamsBody](t, n.Teams()).Attachments[0].Content, n.Letter(public)
		forSlack := []string{s.Text, s.Blocks[0].Text.Text, s.Blocks[1].Elements[0].Text}
		forTeams := []string{card.Body[0].Inlines[0].Text, card.Body[1].Inlines[0].Text}
		for refused, texts := range map[string][]string{c.slack: forSlack, c.teams: forTeams,
			c.none: append(append([]string{l.Subject, l.Paragraphs[0], l.Paragraphs[1]}, forSlack...), forTeams...)} {
			for _, text := range texts {
				if refused != "" && strings.Contains(text, refused) {
					t.Errorf("%q is in %q", refused, text)
				}
			}
		}
		for _, element := range card.Body {
			if element.Type != "RichTextBlock" || element.Inlines[0].Type != "TextRun" {
				t.Errorf("%s would be read as Markdown", element.Type)
			}
		}
	}
}

// The longest values stay within the vendors' limits: 3,000 characters and 50 blocks in Slack, 28 kB in Teams.
func TestLongEventsStayWithinTheLimits(t *testing.T) {
	long := strings.Repeat("<&\u2028é", 2000)
	for _, w := range event.Words {
		data := map[string]string{}
		for _, place := range strings.FieldsFunc(w.Tell, func(r rune) bool { return strings.ContainsRune("{}|[] ", r) }) {
			data[place] = long
		}
		n := endpoint.NewNotice(event.Event{Actor: long, Action: w.Action, Target: long, Data: data}, long, nil, public)
		s := decode[slackBody](t, n.Slack())
		for _, b := range s.Blocks {
			if b.Text != nil && len([]rune(b.Text.Text)) > 3000 {
				t.Errorf("%s: a section has %d characters", w.Action, len([]rune(b.Text.Text)))
			}
			for _, e := range b.Elements {
				if len([]rune(e.Text)) > 3000 {
					t.Errorf("%s: a context has %d characters", w.Action, len([]rune(e.Text)))
				}
			}
		}
		if size := len(n.Teams()); size > 28<<10 {
			t.Errorf("%s: %d bytes for Teams", w.Action, size)
		}
		if l := n.Letter(public); len([]rune(l.Subject)) > 151 {
			t.Errorf("%s: the subject has %d characters", w.Action, len([]rune(l.Subject)))
		}
	}
}

func FuzzNotice(f *testing.F) {
	for _, c := range hostile {
		f.Add(c.name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		v := event.Event{Actor: name, Action: "key.create", Target: name, Data: map[string]string{"label": name, "url": name}}
		n := endpoint.NewNotice(v, name, nil, public)
		s := decode[slackBody](t, n.Slack())
		if text := s.Blocks[0].Text.Text; strings.ContainsAny(text, "<>\r\n\x00\u202e") || strings.Contains(text, "](") {
			t.Errorf("%q becomes %q", name, text)
		}
		if text := decode[teamsBody](t, n.Teams()).Attachments[0].Content.Body[0].Inlines[0].Text; strings.Contains(text, "{{") {
			t.Errorf("%q becomes %q", name, text)
		}
	})
}
