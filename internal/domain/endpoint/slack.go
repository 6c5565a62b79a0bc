package endpoint

import (
	"strings"
	"unicode"
)

// slackMessage is what incoming webhooks of Slack take. Slack shows the blocks and uses the text for notifications;
// Mattermost and Rocket.Chat show the text, as Markdown.
type slackMessage struct {
	Text   string       `json:"text"`
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type     string      `json:"type"`
	Text     *slackText  `json:"text,omitempty"`     // of a section
	Elements []slackText `json:"elements,omitempty"` // of a context
}

// slackText is a text object: plain_text has no markup, mrkdwn has.
type slackText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// Slack returns the notice as the body of an incoming webhook.
func (n Notice) Slack() []byte {
	m := slackMessage{Text: escapeSlack(n.Text), Blocks: []slackBlock{
		{Type: "section", Text: &slackText{"plain_text", escapeSlack(n.Text)}},
		{Type: "context", Elements: []slackText{{"plain_text", escapeSlack(n.Note)}}},
	}}
	if n.Link != "" {
		link := "<" + slackEntities.Replace(n.Link) + "|" + label + ">"
		m.Text += " " + link
		m.Blocks[1].Elements = append(m.Blocks[1].Elements, slackText{"mrkdwn", link})
	}
	return encode(m)
}

// slackEntities escapes the characters that begin and end Slack's own markup, such as <!channel>.
var slackEntities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escapeSlack returns a text that is shown as it is: it mentions nobody, and has no links or images under other words. A
// word joiner, which is invisible, separates what Mattermost would read together, because Slack has no escape character.
func escapeSlack(text string) string {
	text = strings.ReplaceAll(slackEntities.Replace(text), "](", "]\u2060(")
	return unmention(strings.ReplaceAll(text, "][", "]\u2060["))
}

// unmention puts a word joiner behind each @ that no letter or digit stands before: @channel and @all reach everybody in
// Mattermost and Rocket.Chat, also behind dots and dashes. Addresses of people stay as they are.
func unmention(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		b.WriteRune(r)
		if r == '@' && !unicode.IsLetter(last) && !unicode.IsDigit(last) {
			b.WriteRune('\u2060')
		}
		last = r
	}
	return b.String()
}
