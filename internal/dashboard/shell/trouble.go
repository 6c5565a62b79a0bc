package shell

import (
	"errors"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// Trouble is an error as people see it.
type Trouble struct {
	Status    int
	Code      string
	Sentence  string
	Hint      string
	RequestID string
	Fields    map[string]string // what is wrong with a field, by its name
}

// TroubleOf finds the words for an error; an error without a message for people is shown as an internal error.
func TroubleOf(err error) Trouble {
	var refused *client.Error
	if errors.As(err, &refused) && refused.Status != 0 {
		t := Trouble{Status: refused.Status, Code: refused.Code, Sentence: refused.Message, Hint: refused.Hint,
			RequestID: refused.RequestID, Fields: map[string]string{}}
		for _, d := range refused.Details {
			t.Fields[d.Field] = d.Message
		}
		return t
	}
	if f, ok := fault.As(err); ok {
		t := Trouble{Status: apierror.Status(f.Kind), Code: f.Code, Sentence: f.Public, Hint: f.Hint,
			Fields: map[string]string{}}
		if f.Field != "" {
			t.Fields[f.Field] = f.Public
		}
		return t
	}
	return Trouble{Status: http.StatusInternalServerError, Code: "internal",
		Sentence: "Something went wrong on the server.",
		Hint:     "Try again in a moment; the server's log has the details."}
}

// Refusal is what the API has against a form, for the page to show it again; nil when the error is not about the form
// but about the server or the session.
func Refusal(err error) *Trouble {
	t := TroubleOf(err)
	if t.Status < http.StatusBadRequest || t.Status >= http.StatusInternalServerError ||
		t.Status == http.StatusUnauthorized {
		return nil
	}
	var refused *client.Error
	if errors.As(err, &refused) && refused.RetryAfter > 0 && t.Hint == "" {
		t.Hint = "Try again " + Relative(time.Time{}.Add(refused.RetryAfter), time.Time{}) + "."
	}
	return &t
}

// Marks is what is wrong with the fields of a form, by name; nil trouble has none.
func (t *Trouble) Marks() map[string]string {
	if t == nil {
		return nil
	}
	return t.Fields
}

// refuse answers with the page for an error where there is no visit.
func (b *Board) refuse(w http.ResponseWriter, r *http.Request, status int, sentence, hint string) {
	b.page(w, r, status, "trouble", Frame{Title: sentence}, Trouble{Status: status, Sentence: sentence, Hint: hint})
}

// serveUnknown responds to unknown paths. It reveals nothing about other pages.
func (b *Board) serveUnknown(w http.ResponseWriter, r *http.Request) {
	b.refuse(w, r, http.StatusNotFound, "Page not found.", "The address may be mistyped, or the page was removed.")
}
