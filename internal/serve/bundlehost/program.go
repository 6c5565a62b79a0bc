package bundlehost

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/lectern-docs/lectern/internal/build/sitereader"
	"github.com/lectern-docs/lectern/internal/foundation/capability"
	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/jobs/bundlestore"
	"github.com/lectern-docs/lectern/internal/serve/siteapi"
)

// program returns the endpoint for a path below the base; nil if there is none.
func (h *Host) program(path string) siteapi.Endpoint {
	if !strings.HasPrefix(path, capability.Path) {
		return nil
	}
	for at, endpoint := range h.opt.Endpoints {
		if path == at || strings.HasPrefix(path, at+"/") {
			return endpoint
		}
	}
	return nil
}

// site returns the version in the form used by endpoints. It stays valid until the request ends.
func (s *shown) site(r *http.Request) siteapi.Site {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return siteapi.Site{Host: strings.ToLower(host), Library: s.library()}
}

// Library returns a library that reads a version, which must stay open while the library is used. name is the site's
// name.
func Library(name string, v *bundlestore.Version) *sitereader.Library {
	return sitereader.New(name, files{v})
}

// files implements sitereader.Files for a version.
type files struct{ *bundlestore.Version }

// Has implements sitereader.Files.
func (f files) Has(name string) bool {
	_, ok, err := f.Lookup(name)
	return ok && err == nil
}

// Read implements sitereader.Files.
func (f files) Read(_ context.Context, name string) ([]byte, error) {
	file, ok, err := f.Lookup(name)
	if err == nil && !ok {
		err = fault.New(fault.NotFound, "unknown_file", "File not found.")
	}
	if err != nil {
		return nil, err
	}
	in, err := f.Open(name, file, false)
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }() // read only
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("read file of version %s: %w", f.Name(), err)
	}
	return data, nil
}
