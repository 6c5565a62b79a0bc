package endpoint

import (
	"strings"
	"unicode"
)

// slackMessage is the body of Slack's incoming webhooks. Slack shows the blocks and uses the text for
// notifications; Mattermost and Rocket.Chat show the text as Markdown.
type slackMessage struct {
	Text   string       `json:"text"`
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type     string      `json:"type"`
	Text     *slackText  `json:"text,omitempty"`     // for a section
	Elements []slackText `json:"elements,omitempty"` // for a context
}

// slackText is a text object: plain_text has no markup, mrkdwn does.
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

// slackEntities escapes the delimiters of Slack's markup, such as <!channel>.
var slackEntities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escapeSlack escapes text so that it is shown literally, without mentions, links or images. Slack has no escape
// character, so an invisible word joiner separates characters that Mattermost would interpret together.
func escapeSlack(text string) string {
	text = strings.ReplaceAll(slackEntities.Replace(text), "](", "]\u2060(")
	return unmention(strings.ReplaceAll(text, "][", "]\u2060["))
}

// unmention inserts a word joiner after each @ that does not follow a letter or digit: @channel and @all notify
// everyone in Mattermost and Rocket.Chat, even after dots and dashes. Email addresses stay unchanged.
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
