package git

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// Upload serves a client that reads the repository over HTTP: with advertise it writes the list of refs, otherwise the
// response to the request in. protocol is the client's version of git's protocol, such as "version=2"; "" means the
// first version. Only the server's own repositories can be read this way.
func (r Repo) Upload(ctx context.Context, protocol string, advertise bool, in io.Reader, out io.Writer) error {
	if !r.cache.owns(r.path) {
		return fault.New(fault.NotFound, "unknown_repository", "Repository not found.")
	}
	if _, err := os.Stat(filepath.Join(r.path, "HEAD")); errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.NotFound, "unknown_repository", "Repository not found.").WithCause(err)
	}
	args := []string{"upload-pack", "--stateless-rpc", "--strict"}
	if advertise {
		args = append(args, "--http-backend-info-refs")
	}
	var fed error // why the request could not be read completely; to git it looks as if the client had disconnected
	err := r.work(ctx, "", func(ctx context.Context, j *job) error {
		if protocol != "" {
			j.env = append(j.env, "GIT_PROTOCOL="+protocol)
		}
		return j.stream(ctx, nil, func(stdin io.WriteCloser, stdout io.Reader) error {
			done := make(chan error, 1)
			go func() { done <- feed(stdin, in, advertise) }()
			if _, err := io.Copy(out, stdout); err != nil {
				return err // the client has disconnected
			}
			fed = <-done
			return fed
		}, append(args, r.path)...)
	})
	if fed != nil {
		return fed
	}
	return err
}

// feed passes the request to git, unless git has exited.
func feed(stdin io.WriteCloser, in io.Reader, advertise bool) (err error) {
	if !advertise {
		_, err = io.Copy(stdin, in)
	}
	_ = stdin.Close() // git may have exited first
	if errors.Is(err, os.ErrClosed) || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
