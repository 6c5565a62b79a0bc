package githost

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/domain/project"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
	"github.com/lectern-docs/lectern/internal/serve/apierror"
)

const (
	service     = "git-upload-pack"
	requestType = "application/x-git-upload-pack-request"
	maxRequest  = 8 << 20          // bytes, uncompressed: a client lists the commits that it has
	longest     = 10 * time.Minute // time limit of a response
)

// protocolForm matches valid values of Git-Protocol, which is passed to git in an environment variable.
var protocolForm = lazyregexp.New(`^version=[0-2]$`)

// route handles the paths below a repository.
func (h *host) route(w http.ResponseWriter, r *http.Request, p project.Project, rest string) error {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case r.URL.Query().Get("service") == "git-receive-pack" || rest == "git-receive-pack":
		return fault.New(fault.Forbidden, "read_only", "This repository is read-only.").
			WithHint("Agent jobs propose changes, which are merged in the dashboard.")
	case rest == "info/refs" && read && r.URL.Query().Get("service") == service:
		return h.serve(w, r, p, true)
	case rest == service && r.Method == http.MethodPost:
		if r.Header.Get("Content-Type") != requestType {
			return fault.Newf(fault.Unsupported, "unsupported_type", "The request must have the content type %s.",
				requestType)
		}
		return h.serve(w, r, p, false)
	case rest == "" && read:
		if _, err := h.Open(r.Context(), p, false); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		// The write fails only if the caller has disconnected.
		fmt.Fprintf(w,
			"This is the read-only Git repository of the project %q. Clone it with git clone and this address; the password is an admin API key.\n", p.Name)
		return nil
	}
	return unknown()
}

// serve runs git within limits.
func (h *host) serve(w http.ResponseWriter, r *http.Request, p project.Project, advertise bool) error {
	leave, err := h.work.enter(p.OrganizationID)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(r.Context(), longest)
	defer cancel()
	repository, err := h.Open(ctx, p, advertise)
	if err != nil {
		return err
	}
	in, err := body(w, r)
	if err != nil {
		return err
	}
	protocol := r.Header.Get("Git-Protocol")
	if !protocolForm.MatchString(protocol) {
		protocol = ""
	}
	out := &reply{w: w, kind: "application/x-" + service + "-result"}
	if advertise {
		out.kind = "application/x-" + service + "-advertisement"
		if protocol != "version=2" {
			out.first = "001e# service=" + service + "\n0000"
		}
	}
	err = repository.Upload(ctx, protocol, advertise, in, out)
	if out.begun && err != nil { // git has sent the reason, or the client detects the incomplete pack
		h.Logger.Info("clone aborted", "project", p.ID, "error", err)
		return nil
	}
	return err
}

// body returns the uncompressed request body.
func body(w http.ResponseWriter, r *http.Request) (io.Reader, error) {
	limited := http.MaxBytesReader(w, r.Body, maxRequest)
	switch r.Header.Get("Content-Encoding") {
	case "":
		return limited, nil
	case "gzip", "x-gzip":
		in, err := gzip.NewReader(limited)
		if err != nil {
			return nil, fault.New(fault.Invalid, "bad_body", "The request body cannot be decompressed.").WithCause(err)
		}
		return http.MaxBytesReader(w, io.NopCloser(in), maxRequest), nil
	}
	return nil, fault.New(fault.Unsupported, "unsupported_encoding",
		"The request body must be uncompressed or compressed with gzip.")
}

// reply sends the headers with the first bytes, so that an earlier failure can still set the status.
type reply struct {
	w           http.ResponseWriter
	kind, first string
	begun       bool
}

func (o *reply) Write(p []byte) (int, error) {
	if !o.begun {
		o.begun = true
		o.w.Header().Set("Content-Type", o.kind)
		if _, err := io.WriteString(o.w, o.first); err != nil {
			return 0, err
		}
	}
	return o.w.Write(p)
}

// fail responds with an error as plain text, which git prints.
func (h *host) fail(w http.ResponseWriter, r *http.Request, err error) {
	f, ok := fault.As(err)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		f = fault.Newf(fault.TooLarge, "body_too_large", "The request body has more than %d bytes.", maxRequest)
	case !ok || f.Kind == fault.Internal:
		if r.Context().Err() == nil {
			h.Logger.Error("failed to serve repository", "error", err)
		}
		f = fault.New(fault.Internal, "internal", "The repository could not be read.")
	case f.Kind == fault.Unauthenticated:
		w.Header().Set("WWW-Authenticate", `Basic realm="admin API key as password", charset="UTF-8"`)
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(apierror.Status(f.Kind))
	_, _ = io.WriteString(w, strings.TrimSpace(f.Public+" "+f.Hint)+"\n") // fails only if the caller has disconnected
}
