package s3

import (
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
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
	program, err := testserver.Installed(filepath.Join("bin", "versitygw-"+version))
	if err != nil {
		return nil, err
	}
	return testserver.Start(ctx, "S3 server", startLife, func(ctx context.Context, port int) (*Server, error) {
		return start(ctx, program, port)
	})
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

func start(ctx context.Context, program string, port int) (*Server, error) {
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
	if err := s.process.AwaitOK(ctx, s.Endpoint+health); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}
