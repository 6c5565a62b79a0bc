package mail

import (
	"encoding/json"
	"fmt"
)

// Notice is the content of an alert. Names in its texts must have been prepared with ShowName.
type Notice struct {
	Title      string   `json:"title"`
	Paragraphs []string `json:"paragraphs"`
	Label      string   `json:"label"` // of the link
	Path       string   `json:"path"`  // of the page about the problem, relative to the server's address
}

// Encode returns the notice as the content of an email.
func (n Notice) Encode() string {
	raw, err := json.Marshal(n)
	if err != nil {
		panic("mail: " + err.Error()) // cannot happen: it contains only strings
	}
	return string(raw)
}

// Notice returns the content of an alert.
func (m Mail) Notice() (n Notice, err error) {
	if err := json.Unmarshal([]byte(m.Content), &n); err != nil {
		return n, fmt.Errorf("decode alert: %w", err)
	}
	return n, nil
}

// AlertLetter returns the email that informs an owner.
func AlertLetter(n Notice, organization, server string) Letter {
	return Letter{Subject: n.Title, Paragraphs: n.Paragraphs, Label: n.Label, Link: server + n.Path, Server: server,
		Reason: "You get this email because you own “" + ShowName(organization) + "”. It is sent once, not again while nothing changes."}
}
