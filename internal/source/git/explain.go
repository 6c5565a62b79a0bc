package git

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
)

// words maps messages of git, curl and ssh to understandable faults. The first row with a matching text wins.
var words = []struct {
	texts []string
	kind  fault.Kind
	code  string
	text  string
	hint  string
}{
	{[]string{"couldn't find remote ref"}, fault.NotFound, "branch_not_found",
		"The branch does not exist in the repository.", "Check the branch name, or omit it to use the default branch."},
	{[]string{"Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED"}, fault.Forbidden,
		"host_key_changed",
		"The code host's ssh key has changed.",
		"If the host's key was replaced on purpose, the operator must remove its line from known_hosts in the Git cache."},
	{[]string{"UNPROTECTED PRIVATE KEY FILE", "Load key ", "no such identity"}, fault.Forbidden,
		"repository_auth_failed",
		"The ssh key cannot be used.",
		"The key file must exist, be readable only by the server's user, and contain a private key without a passphrase."},
	{[]string{"Authentication failed", "could not read Username", "could not read Password",
		"terminal prompts disabled", "Permission denied (",
		"returned error: 401", "returned error: 403", "HTTP 401", "HTTP 403"}, fault.Forbidden,
		"repository_auth_failed",
		"Access to the repository was denied.",
		"Check that the project's credential is set, valid, and has read access to this repository."},
	{[]string{"not found", "does not appear to be a git repository", "does not exist", "returned error: 404",
		"returned error: 410",
		"No such file or directory", "not a git repository", "not valid: is this a git repository"}, fault.NotFound,
		"repository_not_found",
		"No repository was found at this URL, or the credential has no access to it.",
		"Check the URL; private repositories need a credential."},
	{[]string{"SSL certificate problem", "certificate verification failed", "certificate verify failed",
		"SSL: no alternative certificate"}, fault.Unavailable, "repository_tls_failed",
		"The code host's certificate is not trusted.",
		"The operator can add its certificate authority to the trusted certificates."},
	{[]string{"returned error: 30", "redirection", "unable to update url base", "protocol 'http' not supported",
		"not allowed"}, fault.Forbidden, "redirect_not_allowed",
		"The repository redirects to an address that is not allowed.", "Use the repository's final URL."},
	{[]string{"fsck error", "error in object", "invalid index-pack output", "inflate returned", "bad object",
		"hash mismatch", "missing blob", "bad pack"}, fault.Invalid, "repository_invalid",
		"The repository contains damaged or unsafe objects.", "Run git fsck in a clone of the repository."},
	{[]string{"Could not resolve", "Failed to connect", "Connection refused", "Connection timed out",
		"Operation too slow", "Connection reset", "Connection closed",
		"unable to access", "unexpected disconnect", "early EOF", "returned error: 5", "hung up"}, fault.Unavailable,
		"repository_unreachable",
		"The code host cannot be reached, or the connection was interrupted.",
		"Check the URL and the host. The next update tries again."},
}

// explain converts a failed git run to a fault. err is the exit status, nil if it succeeded.
func (j *job) explain(ctx context.Context, err error, stderr string) error {
	if err == nil {
		return nil
	}
	cause := fmt.Errorf("run git: %w: %s", err, j.redact(stderr))
	if stop := context.Cause(ctx); stop != nil {
		if _, ok := fault.As(stop); ok {
			return stop
		}
		if errors.Is(stop, context.DeadlineExceeded) {
			return fault.New(fault.Unavailable, "repository_timeout", "Fetching the repository took too long.").
				WithHint(
					"The next update tries again. If the repository is very large, move the docs to a smaller one.").
				WithCause(errors.Join(stop, cause))
		}
		return fmt.Errorf("run git: %w", stop)
	}
	if outage := ownOutage(stderr); outage != nil {
		return fmt.Errorf("%w: %w", outage, cause)
	}
	if dialErr := j.session.Err(); dialErr != nil {
		if f, ok := fault.As(dialErr); ok {
			return f.WithField(urlField).WithCause(cause)
		}
		cause = errors.Join(dialErr, cause)
		stderr = "Failed to connect"
	}
	for _, row := range words {
		for _, text := range row.texts {
			if strings.Contains(stderr, text) {
				return fault.New(row.kind, row.code, row.text).WithField(urlField).WithHint(row.hint).WithCause(cause)
			}
		}
	}
	return fault.New(fault.Unavailable, "git_failed", "The repository could not be fetched.").WithField(urlField).
		WithCause(cause)
}

// outages maps the operating system's messages about this server's disk or processes to errors.
var outages = map[string]error{
	"No space left on device": syscall.ENOSPC,
	"Disk quota exceeded":     syscall.EDQUOT,
	"Too many open files":     syscall.EMFILE,
	"Read-only file system":   syscall.EROFS,
}

// ownOutage returns the reason why git could not work on this server, or nil if git's output contains no such reason.
// Messages about the code host's disk do not count, nor does a truncated first line.
func ownOutage(stderr string) error {
	lines := strings.FieldsFunc(stderr, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(stderr) >= tailBytes {
		lines = lines[min(1, len(lines)):]
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "remote:") || strings.HasPrefix(line, "fatal: remote error:") {
			continue
		}
		for text, outage := range outages {
			if strings.Contains(line, text) {
				return outage
			}
		}
	}
	return nil
}

// redact removes secrets from a program's output before it goes to the operators' log.
func (j *job) redact(text string) string {
	secrets := []string{j.session.Password()}
	if c := j.remote.Credential; c != nil && c.Password != "" {
		secrets = append(secrets, c.Password)
	}
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "***")
	}
	return strings.TrimSpace(text)
}
