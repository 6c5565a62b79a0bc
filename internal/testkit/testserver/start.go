package testserver

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// startTries is the number of ports to try, because another process may take a port before the server listens
	// on it.
	startTries = 3
	// pollEvery is the interval of readiness checks during the start.
	pollEvery = 10 * time.Millisecond
)

// Start calls start with a free loopback port, and again with another port if the first was taken in the meantime. what
// is the server's name in errors; life limits the time of all attempts together.
func Start[S any](
	ctx context.Context, what string, life time.Duration, start func(ctx context.Context, port int) (S, error),
) (server S, err error) {
	ctx, cancel := context.WithTimeout(ctx, life)
	defer cancel()
	for range startTries {
		var port int
		if port, err = FreePort(); err == nil {
			server, err = start(ctx, port)
		}
		if err == nil {
			return server, nil
		}
		if !strings.Contains(strings.ToLower(err.Error()), "address already in use") {
			break
		}
	}
	var none S
	return none, fmt.Errorf("start %s: %w", what, err)
}

// AwaitOK waits until the server answers a request for url with status 200. It fails if the server exits or the
// context ends first.
func (p *Process) AwaitOK(ctx context.Context, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_ = response.Body.Close() // only the status matters
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-p.done:
			return fmt.Errorf("server ended:\n%s", p.Output())
		case <-ctx.Done():
			return fmt.Errorf("wait for server: %w:\n%s", ctx.Err(), p.Output())
		}
	}
}

// Cache returns the folder in which the scripts in tools/ store the programs that they build.
func Cache() string {
	if cache := os.Getenv("LECTERN_CACHE"); cache != "" {
		return cache
	}
	base := os.Getenv("XDG_CACHE_HOME")
	if base == "" {
		base = filepath.Join(os.Getenv("HOME"), ".cache")
	}
	return filepath.Join(base, "lectern")
}

// Installed returns the path of a file that tools/install-testservers installs into the cache folder.
func Installed(name string) (string, error) {
	path := filepath.Join(Cache(), name)
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%s is not installed: run tools/install-testservers: %w", name, err)
	}
	return path, nil
}
