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

// program answers a request to a program of the site; false when there is none at its path.
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

// current lets a library read the site as it is now.
type current struct {
	*Server
	asked context.Context // ends with the request that asks
}

// Has implements sitereader.Files.
func (c current) Has(name string) bool {
	c.wait()
	return c.has(name)
}

// wait is for the first pass, which makes the files that need every page.
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
