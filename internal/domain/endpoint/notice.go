package endpoint

import (
	"strings"

	"github.com/lectern-docs/lectern/internal/domain/event"
	"github.com/lectern-docs/lectern/internal/domain/mail"
	"github.com/lectern-docs/lectern/internal/foundation/clip"
)

// Notice is an event in words, for chats and mails. Its texts are on one line and have no invisible characters, but each
// form has to escape what it reads as markup.
type Notice struct {
	Text         string // a sentence without a full stop
	Note         string // the event's type, its organization and its time
	Link         string // address of the dashboard's page about it; "" = none is known
	Organization string
}

// Limits of texts, in characters. Slack takes 3,000 in a section, Teams 28 kB in a message.
const (
	maxNoticeValue = 120
	maxNotice      = 700
)

// label is what links of messages say.
const label = "Open the dashboard"

// NewNotice returns an event in words. names has what ids are called; publicURL is the server's address, "" = not known.
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

// cleanValue returns a value of an event for a sentence. Names are no place for links; the two values that are addresses
// stay whole.
func cleanValue(name, value string) string {
	value = mail.OneLine(clip.Runes(value, maxNotice)) // a long one is not read whole
	if name != "pull" && name != "url" {
		value = strings.Join(strings.Fields(mail.NoLinks(value)), " ")
	}
	return clip.Runes(value, maxNoticeValue)
}

// Letter returns the notice as a mail. server is the server's address, which its links begin with.
func (n Notice) Letter(server string) mail.Letter {
	link := n.Link
	if link == "" {
		link = server + "/dashboard/"
	}
	return mail.Letter{Subject: clip.Runes(n.Text, 150), Paragraphs: []string{n.Text + ".", n.Note}, Label: label, Link: link,
		Server: server, Reason: "You get this mail because an admin of “" + n.Organization +
			"” has such events sent to you. Ask an admin to change it."}
}
