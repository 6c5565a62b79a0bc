package shell

import (
	"errors"
	"net/http"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

// PageError is an error as it is shown on a page.
type PageError struct {
	Status    int
	Code      string
	Message   string
	Hint      string
	RequestID string
	Fields    map[string]string // errors of fields, by name
}

// NewPageError returns the message for an error. An error without a public message is shown as an internal error.
func NewPageError(err error) PageError {
	var refused *client.Error
	if errors.As(err, &refused) && refused.Status != 0 {
		pageErr := PageError{Status: refused.Status, Code: refused.Code, Message: refused.Message, Hint: refused.Hint,
			RequestID: refused.RequestID, Fields: map[string]string{}}
		for _, d := range refused.Details {
			pageErr.Fields[d.Field] = d.Message
		}
		return pageErr
	}
	if f, ok := fault.As(err); ok {
		pageErr := PageError{Status: apierror.Status(f.Kind), Code: f.Code, Message: f.Public, Hint: f.Hint,
			Fields: map[string]string{}}
		if f.Field != "" {
			pageErr.Fields[f.Field] = f.Public
		}
		return pageErr
	}
	return PageError{Status: http.StatusInternalServerError, Code: "internal",
		Message: "Something went wrong on the server.",
		Hint:    "Try again in a moment; the server's log has the details."}
}

// FormError returns the API's error about a form, to show the form again. It is nil if the error concerns the server
// or the session instead.
func FormError(err error) *PageError {
	pageErr := NewPageError(err)
	if pageErr.Status < http.StatusBadRequest || pageErr.Status >= http.StatusInternalServerError ||
		pageErr.Status == http.StatusUnauthorized {
		return nil
	}
	var refused *client.Error
	if errors.As(err, &refused) && refused.RetryAfter > 0 && pageErr.Hint == "" {
		pageErr.Hint = "Try again " + Relative(time.Time{}.Add(refused.RetryAfter), time.Time{}) + "."
	}
	return &pageErr
}

// FieldErrors returns the errors of a form's fields, by name; e may be nil.
func (e *PageError) FieldErrors() map[string]string {
	if e == nil {
		return nil
	}
	return e.Fields
}

// refuse responds with an error page if there is no visit.
func (b *Board) refuse(w http.ResponseWriter, r *http.Request, status int, sentence, hint string) {
	b.page(w, r, status, "error", Frame{Title: sentence}, PageError{Status: status, Message: sentence, Hint: hint})
}

// serveUnknown responds to unknown paths. It reveals nothing about other pages.
func (b *Board) serveUnknown(w http.ResponseWriter, r *http.Request) {
	b.refuse(w, r, http.StatusNotFound, "Page not found.", "The address may be mistyped, or the page was removed.")
}
