package endpoint

import "strings"

// teamsMessage is the body for a Microsoft Teams workflow: Adaptive Cards as attachments.
type teamsMessage struct {
	Type        string            `json:"type"`
	Attachments []teamsAttachment `json:"attachments"`
}

type teamsAttachment struct {
	ContentType string       `json:"contentType"`
	ContentURL  *string      `json:"contentUrl"` // null, but required
	Content     adaptiveCard `json:"content"`
}

// adaptiveCard is an Adaptive Card of version 1.2, the first version with rich text blocks.
type adaptiveCard struct {
	Schema  string        `json:"$schema"`
	Type    string        `json:"type"`
	Version string        `json:"version"`
	Body    []cardElement `json:"body"`
	Actions []cardAction  `json:"actions,omitempty"`
}

// cardElement is a rich text block. Its text runs have no markup, whereas a text block would be parsed as Markdown.
type cardElement struct {
	Type    string    `json:"type"`
	Inlines []textRun `json:"inlines"`
}

type textRun struct {
	Type   string `json:"type"`
	Text   string `json:"text"`
	Size   string `json:"size,omitempty"`
	Subtle bool   `json:"isSubtle,omitempty"`
}

type cardAction struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Teams returns the notice as the body for a workflow.
func (n Notice) Teams() []byte {
	card := adaptiveCard{Schema: "http://adaptivecards.io/schemas/adaptive-card.json", Type: "AdaptiveCard", Version: "1.2",
		Body: []cardElement{
			{"RichTextBlock", []textRun{{Type: "TextRun", Text: escapeCard(n.Text)}}},
			{"RichTextBlock", []textRun{{Type: "TextRun", Text: escapeCard(n.Note), Size: "Small", Subtle: true}}},
		}}
	if n.Link != "" {
		card.Actions = []cardAction{{"Action.OpenUrl", label, n.Link}}
	}
	return encode(teamsMessage{Type: "message", Attachments: []teamsAttachment{
		{ContentType: "application/vnd.microsoft.card.adaptive", Content: card}}})
}

// escapeCard separates the braces of {{DATE(…)}}, the only macro in a text run, and breaks the tags with which
// Teams mentions people.
func escapeCard(text string) string {
	for strings.Contains(text, "{{") { // repeated, because three braces leave two
		text = strings.ReplaceAll(text, "{{", "{ {")
	}
	return strings.ReplaceAll(text, "<at>", "< at>")
}
