package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/app/telemetry"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Exit codes; doc.go and the program's help list them.
const (
	codeOK       = 0
	codeFailed   = 1
	codeUsage    = 2
	codeRefused  = 3
	codeNotFound = 4
	codeConflict = 5
	codeUndone   = 6
)

// errReported ends a command that failed and has already printed the reason.
var errReported = errors.New("the command failed and printed why")

// failure is an error in the form shown to the caller.
type failure struct {
	code     int
	sentence string
	hint     string // "" for none
}

// report prints err and returns the exit code.
func (r *run) report(err error) int {
	switch {
	case err == nil:
		return codeOK
	case errors.Is(err, errReported):
		return codeFailed
	}
	f := explain(err)
	if f.hint == "" && f.code == codeFailed && !r.debug {
		f.hint = "--debug shows the cause."
	}
	mask := telemetry.Redactor{} // causes may contain secrets
	fmt.Fprintf(r.Stderr, "lectern: %s\n", mask.Redact(f.sentence))
	if f.hint != "" {
		fmt.Fprintf(r.Stderr, "  hint: %s\n", mask.Redact(f.hint))
	}
	if r.debug && !strings.Contains(f.sentence, err.Error()) {
		fmt.Fprintf(r.Stderr, "  cause: %s\n", mask.Redact(err.Error()))
	}
	return f.code
}

func explain(err error) failure {
	var (
		refusal *client.Error
		failed  *client.FailedError
		parse   *kong.ParseError
		network *url.Error
		undone  undoneError
	)
	if f, ok := fault.As(err); ok {
		return failure{faultCode(f.Kind), f.Public, f.Hint}
	}
	// the operating system's error for a full disk contains the file name
	if f, ok := fault.Outage(err); ok && !fault.IsFull(err) {
		return failure{faultCode(f.Kind), f.Public, f.Hint}
	}
	switch {
	case errors.As(err, &undone):
		return failure{codeUndone, undone.sentence, undone.hint}
	case errors.As(err, &refusal):
		return explainRefusal(refusal)
	case errors.As(err, &failed):
		return failure{codeFailed, failed.Error(), "The server's log has details under " + failed.ID + "."}
	case errors.Is(err, client.ErrCorrupt):
		return failure{codeFailed, "The downloaded bundle does not match the export.", "Download it again."}
	case errors.Is(err, context.Canceled):
		return failure{codeFailed, "Interrupted.", ""}
	case errors.As(err, &network):
		return explainNetwork(network)
	case errors.As(err, &parse):
		return explainUsage(parse)
	}
	return explainFile(err)
}

func faultCode(k fault.Kind) int {
	switch k {
	case fault.Invalid, fault.TooLarge, fault.NotAllowed, fault.Unsupported:
		return codeUsage
	case fault.Unauthenticated, fault.Forbidden:
		return codeRefused
	case fault.NotFound:
		return codeNotFound
	case fault.Conflict:
		return codeConflict
	}
	return codeFailed
}

func explainRefusal(e *client.Error) failure {
	f := failure{code: codeFailed, sentence: e.Message, hint: e.Hint}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		f.code = codeRefused
	case http.StatusNotFound:
		f.code = codeNotFound
	case http.StatusConflict:
		f.code = codeConflict
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		f.code = codeUsage
	}
	if e.Code == "unknown_domain" {
		f.hint = "`lectern projects list` lists the sites and their domains."
	}
	for _, d := range e.Details {
		if d.Message != e.Message {
			f.sentence += " " + d.Field + ": " + d.Message
		}
	}
	// an outage has its own hint
	if e.Status >= 500 && e.RequestID != "" && (f.hint == "" || e.Status == http.StatusInternalServerError) {
		f.hint = fmt.Sprintf("The server's log has details under %s.", e.RequestID)
	}
	return f
}

func explainNetwork(e *url.Error) failure {
	f := failure{code: codeFailed, sentence: "The server cannot be reached.",
		hint: "Check that it is running (`lectern serve` starts one) and that --url or LECTERN_URL has its address."}
	if u, err := url.Parse(e.URL); err == nil && u.Host != "" {
		f.sentence = fmt.Sprintf("The server at %s://%s cannot be reached.", u.Scheme, u.Host)
	}
	return f
}

func explainUsage(e *kong.ParseError) failure {
	if f, ok := badSetting(e.Error()); ok {
		return f
	}
	command := "lectern"
	if e.Context != nil && e.Context.Selected() != nil {
		command = e.Context.Selected().FullPath()
	}
	return failure{codeUsage, e.Error(), "`" + command + " --help` for usage."}
}

// explainFile describes a file error of the operating system; local users may see the names of their own files.
func explainFile(err error) failure {
	var (
		path *fs.PathError
		link *os.LinkError
	)
	switch {
	case errors.As(err, &path):
		return failure{codeFailed, fmt.Sprintf("Cannot %s %s: %v.", path.Op, path.Path, path.Err), ""}
	case errors.As(err, &link):
		return failure{codeFailed, fmt.Sprintf("Cannot %s %s to %s: %v.", link.Op, link.Old, link.New, link.Err), ""}
	}
	return failure{codeFailed, "Unexpected error: " + err.Error() + ".",
		"Try again. If the error persists, report it with this message."}
}
