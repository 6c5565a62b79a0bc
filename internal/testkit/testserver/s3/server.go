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
	// version equals the one in tools/testservers/go.mod; a test compares them.
	version = "v1.8.0"
	// startLife limits the time to start the server.
	startLife = 30 * time.Second
)

// Server is a running S3 server. It supports only path-style requests.
type Server struct {
	Endpoint             string // http://127.0.0.1:port
	Region               string
	AccessKey, SecretKey string

	process *testserver.Process
	folder  string
	buckets string // folder in which each folder is a bucket
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

// Stop stops the server and removes its folder.
func (s *Server) Stop() { s.process.Stop() }

// Bucket creates an empty bucket and returns its name. The bucket is removed at the end of the test.
func (s *Server) Bucket(t testing.TB) string {
	t.Helper()
	name := "test-" + strings.ToLower(rand.Text())
	folder := filepath.Join(s.buckets, name)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatalf("create bucket: %v", err)
	}
	t.Cleanup(func() {
		// The server may still be writing data that a process sent before it was killed.
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

// Objects lists the keys of a bucket. The list includes incomplete uploads, which the server stores in a folder inside
// the bucket.
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
	health := "/" + rand.Text() // unguessable, so only our own server serves it
	s.process, err = testserver.Run(testserver.Command{
		Folder: folder,
		Signal: "KILL", // its data is not needed any more
		Args: []string{program, "--port", "127.0.0.1:" + strconv.Itoa(port), "--region", s.Region,
			"--access", s.AccessKey, "--secret", s.SecretKey, "--health", health, "--quiet", "--keep-alive",
			// Store metadata in separate files, because not every file system supports extended attributes.
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
