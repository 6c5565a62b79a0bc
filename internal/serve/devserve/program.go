package devserve

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// program handles a request to one of the site's endpoints; it returns false if the path has none.
func (s *Server) program(w http.ResponseWriter, r *http.Request) bool {
	if !strings.HasPrefix(r.URL.Path, capability.Path) {
		return false
	}
	for at, endpoint := range s.opt.Endpoints {
		if r.URL.Path != at && !strings.HasPrefix(r.URL.Path, at+"/") {
			continue
		}
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		endpoint.ServeSite(w, r, siteapi.Site{Host: strings.ToLower(host), Preview: true,
			Library: sitereader.New("", current{s, r.Context()})})
		return true
	}
	return false
}

// current implements sitereader.Files for the current state of the site.
type current struct {
	*Server
	asked context.Context // context of the request
}

// Has implements sitereader.Files.
func (c current) Has(name string) bool {
	c.wait()
	return c.has(name)
}

// wait waits for the first pass, which generates the files that depend on every page.
func (c current) wait() {
	ctx, cancel := context.WithTimeout(c.asked, patience)
	defer cancel()
	select {
	case <-c.passed:
	case <-ctx.Done():
	}
}

// Read implements sitereader.Files.
func (c current) Read(ctx context.Context, name string) ([]byte, error) {
	f, ok, err := c.find(ctx, name)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "unknown_file", "File not found.")
	}
	if err != nil {
		return nil, err
	}
	return f.Bytes()
}
