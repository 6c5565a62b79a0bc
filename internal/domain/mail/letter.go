package mail

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/account"
)

// Letter is the content of an email.
type Letter struct {
	Subject    string
	Paragraphs []string
	Label      string // of the link
	Link       string
	Reason     string // why the recipient gets the email, and what to do if it is unexpected
	Server     string // the server's address
}

// exact formats a time in UTC, because the recipient's time zone is unknown.
func exact(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 MST") }

// LinkValues are the values in emails with links. Names are untrusted; links are the server's own.
type LinkValues struct {
	Organization string
	Inviter      string // name or address; "" = unknown
	Role         account.Role
	Expires      time.Time
	Link         string
	Server       string
}

// InvitationLetter returns the email that invites a person to an organization.
func InvitationLetter(v LinkValues) Letter {
	by := "You were invited"
	if v.Inviter != "" {
		by = ShowName(v.Inviter) + " invited you"
	}
	return Letter{Subject: "Invitation to " + ShowName(v.Organization),
		Paragraphs: []string{
			fmt.Sprintf("%s to join “%s” on Lectern with the role %s.", by, ShowName(v.Organization), v.Role),
			fmt.Sprintf("The link works once, until %s.", exact(v.Expires))},
		Label: "Accept the invitation", Link: v.Link, Server: v.Server,
		Reason: "If you do not know the sender, ignore this email: nothing happens unless you open the link."}
}

// PasswordLetter returns the email with a link for a new password. requested means that somebody asked for it with
// this address; otherwise an admin created the link.
func PasswordLetter(v LinkValues, requested bool) Letter {
	why := fmt.Sprintf("An admin of “%s” created a link with which you can choose a new password.", ShowName(v.Organization))
	reason := "If you did not ask for it, ask an admin of your organization. Your password stays as it is until the link is used."
	if requested {
		why = "Somebody, probably you, asked for a new password for your account."
		reason = "If it was not you, ignore this email: your password stays as it is."
	}
	return Letter{Subject: "Choose a new password", Paragraphs: []string{why,
		fmt.Sprintf("The link works once, until %s. After that you are signed out everywhere else.", exact(v.Expires))},
		Label: "Choose a new password", Link: v.Link, Server: v.Server, Reason: reason}
}

// TestLetter returns an email that shows an operator that sending mail works.
func TestLetter(server string) Letter {
	return Letter{Subject: "Test mail from Lectern", Paragraphs: []string{
		"This email was sent by lectern mail test. The mail settings of the server work."},
		Label: "Open the server", Link: server, Server: server,
		Reason: "The operator of the server entered your address."}
}

// Text returns the plain text form.
func (l Letter) Text() string {
	var b strings.Builder
	for _, p := range l.Paragraphs {
		b.WriteString(p + "\n\n")
	}
	b.WriteString(l.Label + ":\n" + l.Link + "\n\n-- \n" + l.Reason + "\nSent by the Lectern server at " + l.Server + "\n")
	return b.String()
}

// page is the HTML form. Mail programs ignore style sheets, so its few styles are in attributes.
var page = template.Must(template.New("mail").Parse(`<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family: sans-serif; font-size: 16px; line-height: 1.5; color: #1f2328; max-width: 36em">
{{range .Paragraphs}}<p>{{.}}</p>
{{end}}<p><a href="{{.Link}}">{{.Label}}</a></p>
<p style="font-size: 14px; color: #57606a">Or copy this address into your browser:<br>{{.Link}}</p>
<hr style="border: 0; border-top: 1px solid #d0d7de">
<p style="font-size: 14px; color: #57606a">{{.Reason}}<br>Sent by the Lectern server at {{.Server}}</p>
</body>
</html>
`))

// HTML returns the HTML form, with a clickable link.
func (l Letter) HTML() string {
	var b strings.Builder
	if err := page.Execute(&b, l); err != nil {
		panic("mail: " + err.Error()) // cannot happen: it contains only strings
	}
	return b.String()
}
