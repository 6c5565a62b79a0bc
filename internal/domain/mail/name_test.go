package mail_test

import (
	"strings"
	"testing"

	"github.com/lectern-docs/lectern/internal/domain/mail"
)

func TestNamesAreCleaned(t *testing.T) {
	for in, want := range map[string]string{
		"Acme":                           "Acme",
		"  Acme \t Inc. ":                "Acme Inc.",
		"A\r\nBcc: x@example.com":        "A Bcc: x@example.com",
		"\u202Eevil\u202C\u2066\u200B x": "evil x",
		"go to https://evil.example/x":   "go to https evil.example/x",
		"www.evil.example":               "www evil.example",
		"\x00\x1b[31mred":                "[31mred",
		"a\xffb":                         "ab",
		strings.Repeat("ä", 100):         strings.Repeat("ä", 60) + "…",
		"":                               "",
	} {
		if got := mail.CleanName(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	if got := mail.ShowName("שלום"); got != "\u2068שלום\u2069" {
		t.Errorf("a name from right to left is not isolated: %q", got)
	}
	if got := mail.ShowName("Acme"); got != "Acme" {
		t.Errorf("a plain name is %q", got)
	}
}

// A cleaned name never has several lines, invisible characters or a link.
func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"Acme", "a\r\nb", "\u202e", "http://x", "www.www.x", ":////", "wwwwww.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := mail.CleanName(s)
		if strings.ContainsAny(got, "\r\n\x00\u2028\u2029\u202e\u2066") || len([]rune(got)) > 61 || strings.Contains(got, "://") ||
			strings.Contains(got, "www.") {
			t.Errorf("%q is shown as %q", s, got)
		}
	})
}

func TestLettersEscapeNames(t *testing.T) {
	l := mail.InvitationLetter(mail.LinkValues{Organization: `<script>alert("x")</script>`, Inviter: "<b>", Role: "editor",
		Link: "https://lectern.example.com/dashboard/join?token=x", Server: "https://lectern.example.com"})
	if html := l.HTML(); strings.Contains(html, "<script") || strings.Contains(html, "<b>") ||
		!strings.Contains(html, `<a href="https://lectern.example.com/dashboard/join?token=x">`) {
		t.Errorf("the page is %s", html)
	}
	if text := l.Text(); !strings.Contains(text, "\nhttps://lectern.example.com/dashboard/join?token=x\n") {
		t.Errorf("the text is %s", text)
	}
}
