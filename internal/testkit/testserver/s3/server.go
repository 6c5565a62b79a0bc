package s3

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver"
)

const (
	// version is that of tools/testservers/go.mod; a test compares them.
	version = "v1.8.0"
	// startLife bounds the server's start.
	startLife = 30 * time.Second
	// pollEvery is the interval of readiness checks during the start.
	pollEvery = 10 * time.Millisecond
	// startTries is how many ports are tried, in case another process takes one
	// between its choice and its use.
	startTries = 3
)

// Server is a running S3 server. It answers path-style requests only.
type Server struct {
	Endpoint             string // http://127.0.0.1:port
	Region               string
	AccessKey, SecretKey string

	process *testserver.Process
	folder  string
	buckets string // folder: each folder in it is a bucket
}

// Start starts a server on a free loopback port.
func Start(ctx context.Context) (*Server, error) {
	program, err := findProgram()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startLife)
	defer cancel()
	for try := 1; ; try++ {
		server, err := start(ctx, program)
		if err == nil {
			return server, nil
		}
		if try == startTries || !strings.Contains(err.Error(), "address already in use") {
			return nil, fmt.Errorf("start S3 server: %w", err)
		}
	}
}

// Stop ends the server and removes its folder.
func (s *Server) Stop() { s.process.Stop() }

// Bucket makes an empty bucket and returns its name. It is removed at the
// test's end.
func (s *Server) Bucket(t testing.TB) string {
	t.Helper()
	name := "test-" + strings.ToLower(rand.Text())
	folder := filepath.Join(s.buckets, name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatalf("make bucket: %v", err)
	}
	t.Cleanup(func() {
		// The server may still be writing what a process sent before it was killed.
		err := os.RemoveAll(folder)
		for range 100 {
			if err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
			err = os.RemoveAll(folder)
		}
		t.Errorf("remove bucket: %v", err)
	})
	return name
}

// Objects lists the keys of a bucket, and, below a folder of the server's own, uploads that were not completed.
func (s *Server) Objects(t testing.TB, bucket string) []string {
	t.Helper()
	var keys []string
	root := filepath.Join(s.buckets, bucket)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			keys = append(keys, filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))))
		}
		return err
	})
	if err != nil {
		t.Fatalf("list objects: %v", err)
	}
	return keys
}

func start(ctx context.Context, program string) (*Server, error) {
	port, err := testserver.FreePort()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "lectern-s3-")
	if err != nil {
		return nil, err
	}
	s := &Server{
		Endpoint:  "http://127.0.0.1:" + strconv.Itoa(port),
		Region:    "us-east-1",
		AccessKey: rand.Text(),
		SecretKey: rand.Text(),
		folder:    folder,
		buckets:   filepath.Join(folder, "buckets"),
	}
	sidecar := filepath.Join(folder, "metadata")
	if err := errors.Join(os.Mkdir(s.buckets, 0o700), os.Mkdir(sidecar, 0o700)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	health := "/" + rand.Text() // unguessable: only our own server knows it
	s.process, err = testserver.Run(testserver.Command{
		Folder: folder,
		Signal: "KILL", // its data is thrown away
		Args: []string{program, "--port", "127.0.0.1:" + strconv.Itoa(port), "--region", s.Region,
			"--access", s.AccessKey, "--secret", s.SecretKey, "--health", health, "--quiet", "--keep-alive",
			// Metadata in files of its own: not every file system has the
			// extended attributes that are the alternative.
			"posix", "--sidecar", sidecar, s.buckets},
	})
	if err != nil {
		return nil, err
	}
	if err := s.awaitHealth(ctx, health); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// awaitHealth returns when the server answers.
func (s *Server) awaitHealth(ctx context.Context, path string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Endpoint+path, nil)
	if err != nil {
		return err
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close() // only the status is of interest
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.process.Done():
			return fmt.Errorf("server ended:\n%s", s.process.Output())
		case <-ctx.Done():
			return fmt.Errorf("wait for server: %w:\n%s", ctx.Err(), s.process.Output())
		}
	}
}

// findProgram returns the path at which tools/install-testservers puts the
// server.
func findProgram() (string, error) {
	cache := os.Getenv("LECTERN_CACHE")
	if cache == "" {
		base := os.Getenv("XDG_CACHE_HOME")
		if base == "" {
			base = filepath.Join(os.Getenv("HOME"), ".cache")
		}
		cache = filepath.Join(base, "lectern")
	}
	program := filepath.Join(cache, "bin", "versitygw-"+version)
	if _, err := os.Stat(program); err != nil {
		return "", fmt.Errorf("the S3 server for tests is not installed: run tools/install-testservers: %w", err)
	}
	return program, nil
}
