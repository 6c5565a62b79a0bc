package judges

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lectern-docs/lectern/internal/testkit/testserver/lectern"
)

// prismError is the prefix of the types of Prism's own errors: a violation of the description, or a failed request to
// the server.
const prismError = "https://stoplight.io/prism/errors#"

// prism starts Prism as a proxy in front of a server. A request or response that does not match the description is an
// error. It returns Prism's address.
func prism(t *testing.T, document, upstream string, args ...string) string {
	t.Helper()
	address := lectern.FreeAddress(t)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"proxy", document, upstream, "--errors", "--host", host, "--port", port, "--verboseLevel",
		"warn"}, args...)
	cmd := nodeCommand(t, npmProgram(t, "prism"), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close() // only to check that it accepts connections
			return "http://" + address
		}
		select {
		case err := <-ended:
			t.Fatalf("prism exited: %v\n%s", err, out.String())
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// exchange sends a request, reads the whole response and fails the test for Prism errors.
func exchange(t *testing.T, method, url, key, body string) (status int, answer []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // streams end together with the job that they follow
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(answer, []byte(prismError)) {
		t.Errorf("%s %s: %d %s", method, url, res.StatusCode, answer)
	}
	return res.StatusCode, answer
}

// loadJSON reads a description.
func loadJSON(t *testing.T, path string) (doc struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Examples map[string]struct{ Value json.RawMessage }
	}
}) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// described is an operation in a description.
type described struct{ method, path string }

func operationsOf(t *testing.T, path string) (list []described) {
	t.Helper()
	for at, item := range loadJSON(t, path).Paths {
		for method := range item {
			if slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
				list = append(list, described{strings.ToUpper(method), at})
			}
		}
	}
	return list
}

// fits reports whether a path matches a template.
func fits(template, path string) bool {
	a, b := strings.Split(template, "/"), strings.Split(path, "/")
	return len(a) == len(b) && !slices.ContainsFunc(a, func(part string) bool {
		i := slices.Index(a, part)
		return part != b[i] && !strings.HasPrefix(part, "{")
	})
}
