package endpoint

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Notice describes an event in words, for chats and emails. Its texts consist of one line without invisible
// characters, but each format has to escape its own markup.
type Notice struct {
	Text         string // a sentence without a full stop
	Note         string // the event's type, its organization and its time
	Link         string // address of the dashboard page about it; "" = unknown
	Organization string
}

// Limits of texts, in characters. Slack permits 3,000 in a section, Teams 28 kB in a message.
const (
	maxNoticeValue = 120
	maxNotice      = 700
)

// label is the text of links.
const label = "Open the dashboard"

// NewNotice describes an event. names maps ids to readable names; publicURL is the server's address, "" = unknown.
func NewNotice(v event.Event, organization string, names map[string]string, publicURL string) Notice {
	organization = mail.CleanName(organization)
	known := map[string]string{}
	for id, name := range names {
		known[id] = mail.CleanName(name)
	}
	shown := v
	shown.Actor, shown.Target, shown.Data = cleanValue("", v.Actor), cleanValue("", v.Target), map[string]string{}
	for name, value := range v.Data {
		shown.Data[name] = cleanValue(name, value)
	}
	return Notice{Text: clip.Runes(shown.Who(known)+" "+shown.Did(known), maxNotice), Link: page(v, publicURL),
		Note:         v.Action + " · " + organization + " · " + v.At.UTC().Format("2 January 2006, 15:04 MST"),
		Organization: organization}
}

// cleanValue prepares a value of an event for a sentence. Names must not contain links. The two values that are
// addresses stay complete.
func cleanValue(name, value string) string {
	value = mail.OneLine(clip.Runes(value, maxNotice)) // bounds the work for a long value
	if name != "pull" && name != "url" {
		value = strings.Join(strings.Fields(mail.NoLinks(value)), " ")
	}
	return clip.Runes(value, maxNoticeValue)
}

// Letter returns the notice as an email. server is the server's address, with which the links in the email begin.
func (n Notice) Letter(server string) mail.Letter {
	link := n.Link
	if link == "" {
		link = server + "/dashboard/"
	}
	return mail.Letter{Subject: clip.Runes(n.Text, 150), Paragraphs: []string{n.Text + ".", n.Note}, Label: label, Link: link,
		Server: server, Reason: "You get this email because an admin of “" + n.Organization +
			"” has such events sent to you. Ask an admin to change it."}
}
