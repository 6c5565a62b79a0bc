package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/source/outbound"
	"github.com/lectern-docs/lectern/internal/source/sourcetree"
)

// Options configures a Cache. Proxy is required; other zero fields take their defaults.
type Options struct {
	Proxy    *outbound.Proxy // carries and checks every connection; the caller keeps and closes it
	MaxBytes int64           // growth of a mirror by one fetch; default 2 GiB
	Timeout  time.Duration
	// path of this program, which ssh runs as "SelfExe internal-dial PROXY HOST PORT"; "" disables ssh
	SelfExe string
	CAFile  string            // PEM certificates to trust for https; "" means the system's
	Git     string            // the git program; default: the one on the search path
	Own     string            // folder with the server's own repositories, which are exempt from the rules for local sources; "" = none
	Limits  sourcetree.Limits // limits of a snapshot
}

// Cache holds bare, shallow mirrors of repositories in a folder, so that only new objects are fetched. Several
// goroutines and processes may share the folder: each mirror has a lock.
type Cache struct {
	dir string
	opt Options
}

// Open prepares dir, creating it if necessary.
func Open(dir string, opt Options) (*Cache, error) {
	if opt.Proxy == nil {
		return nil, errors.New("open git cache: no proxy")
	}
	if opt.MaxBytes <= 0 {
		opt.MaxBytes = 2 << 30
	}
	if opt.Timeout <= 0 {
		opt.Timeout = 10 * time.Minute
	}
	var err error
	if opt.Git == "" {
		// A server without git still serves folders and published sites; only repositories fail.
		opt.Git, _ = exec.LookPath("git")
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("open git cache: %w", err)
	}
	if opt.Own != "" {
		if opt.Own, err = filepath.Abs(opt.Own); err != nil {
			return nil, fmt.Errorf("open git cache: %w", err)
		}
	}
	if strings.ContainsAny(dir+opt.Own, "\r\n") {
		return nil, errors.New("open git cache: path contains a line break") // git reads paths line by line
	}
	c := &Cache{dir: dir, opt: opt}
	if err := c.makeFolders(); err != nil && !fault.IsFull(err) {
		return nil, err
	}
	if err := c.writeConfig(); err != nil && !fault.IsFull(err) { // on a full disk, each job tries again
		return nil, fmt.Errorf("write git configuration: %w", err)
	}
	return c, nil
}

// makeFolders creates the cache's folders.
func (c *Cache) makeFolders() error {
	for _, d := range []string{c.home(), c.mirrors(), c.workFolders()} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return fmt.Errorf("create git cache: %w", err)
		}
	}
	return nil
}

// prepare creates what could not be created when the cache was opened on a full disk. It writes nothing if
// everything exists.
func (c *Cache) prepare() error {
	if err := c.makeFolders(); err != nil {
		return err
	}
	if err := c.writeConfig(); err != nil {
		return fmt.Errorf("write git configuration: %w", err)
	}
	return nil
}

func (c *Cache) home() string        { return filepath.Join(c.dir, "home") } // stays empty
func (c *Cache) mirrors() string     { return filepath.Join(c.dir, "mirrors") }
func (c *Cache) workFolders() string { return filepath.Join(c.dir, "benches") }
func (c *Cache) config() string      { return filepath.Join(c.dir, "gitconfig") }
func (c *Cache) knownHosts() string  { return filepath.Join(c.dir, "known_hosts") }

// check validates everything about a remote that can be checked without connecting.
func (c *Cache) check(r Remote) (origin, error) {
	o, err := parseURL(r.URL, r.Local || c.owns(r.URL))
	if err != nil {
		return o, err
	}
	if err := ValidateBranch(r.Branch); err != nil {
		return o, err
	}
	if _, err := cleanFolder(r.Folder); err != nil {
		return o, err
	}
	if o.scheme == "http" && !c.opt.Proxy.Guard().Trusts(o.host) {
		return o, fault.New(fault.Invalid, "insecure_repository_url",
			"Plain http is only allowed for hosts that the operator trusts.").
			WithField(urlField).
			WithHint("Use https. The operator can allow a host in your own network with --allow-address.")
	}
	if o.scheme == "ssh" && c.opt.SelfExe == "" {
		return o, fault.New(fault.Invalid, "unsupported_repository_url",
			"This server does not fetch repositories over ssh.").WithField(urlField)
	}
	if cr := r.Credential; cr != nil && strings.ContainsAny(cr.User+cr.Password+cr.SSHKeyFile, "\x00\r\n") {
		return o, fault.New(fault.Invalid, "bad_credential", "The credential contains a line break.").
			WithField("source.credential").
			WithHint("Remove the line break at the end of the token.")
	}
	return o, nil
}

// owns reports whether url is the plain path of a repository directly in the folder for the server's own repositories.
func (c *Cache) owns(url string) bool {
	return c.opt.Own != "" && filepath.IsAbs(url) && filepath.Clean(url) == url && filepath.Dir(url) == c.opt.Own
}

// Head returns the head commit of the remote's branch.
func (c *Cache) Head(ctx context.Context, r Remote) (string, error) {
	j, err := c.begin(r)
	if err != nil {
		return "", err
	}
	defer j.end()
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	h, err := j.head(ctx)
	return h.commit, err
}

// Snapshot fetches the branch and passes the files of the remote's folder at its head commit to a sink.
func (c *Cache) Snapshot(ctx context.Context, r Remote, to sourcetree.Sink) (sourcetree.Snapshot, error) {
	var s sourcetree.Snapshot
	err := c.enter(ctx, r, func(ctx context.Context, j *job, m *mirror) error {
		ref, err := j.ref(ctx)
		if err != nil {
			return err
		}
		commit, when, err := j.fetch(ctx, m, ref)
		if err != nil {
			return err
		}
		if s, err = j.write(ctx, m, commit, to); err != nil {
			return err
		}
		s.Commit, s.Branch, s.Time, s.Modified = commit, branchOf(ref), when, j.dates(ctx, m, ref, commit)
		s.Change = j.describe(ctx, m, commit)
		return nil
	})
	return s, err
}

// enter calls do with exclusive use of the remote's mirror.
func (c *Cache) enter(ctx context.Context, r Remote, do func(context.Context, *job, *mirror) error) error {
	j, err := c.begin(r)
	if err != nil {
		return err
	}
	defer j.end()
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	m, err := c.lock(ctx, r.URL)
	if err != nil {
		return j.explain(ctx, err, "")
	}
	defer m.unlock()
	if err := m.used(); err != nil {
		return err
	}
	return do(ctx, j, m)
}

func (c *Cache) deadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.opt.Timeout)
}
