// Package linkcheck asks other sites whether they have the pages that links lead to.
//
// Inputs: addresses, and an HTTP client of package outbound.
// Outputs: the addresses that are gone, with a reason.
// Never: sends anything but HEAD and GET requests without credentials, or reports a site that refuses programs or is busy.
package linkcheck

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of one run.
const (
	MaxAddresses = 2000 // that are asked for
	atOnce       = 16   // sites
)

// Cache keeps good answers. It is that of builds.
type Cache interface {
	Get(key [32]byte) (value []byte, ok bool)
	Put(key [32]byte, value []byte)
}

// Options configure a run.
type Options struct {
	Client *http.Client
	Cache  Cache     // nil = none
	Day    time.Time // answers of another day are not used
	Agent  string    // User-Agent
}

// Result is what a run found.
type Result struct {
	Gone    map[string]string // address → why it leads nowhere
	Good    []string          // addresses that answer
	Unknown int               // addresses whose sites gave no clear answer
	Left    int               // addresses that were not asked for, because there are too many
}

// The platform writes the HTML, so attributes have double quotes.
var link = regexp.MustCompile(`<a [^>]*?href="(https?://[^"]+)"`)

// Links returns the addresses of other sites that the text of a page links to, each once and without its fragment.
func Links(page []byte) (out []string) {
	_, page, _ = bytes.Cut(page, []byte(`<article class="content">`))
	page, _, _ = bytes.Cut(page, []byte(`</article>`))
	for _, m := range link.FindAllSubmatch(page, -1) {
		address, _, _ := strings.Cut(html.UnescapeString(string(m[1])), "#")
		if !slices.Contains(out, address) {
			out = append(out, address)
		}
	}
	return out
}

// Run asks for the addresses. Those of one site are asked for one after the other.
func Run(ctx context.Context, addresses []string, opt Options) (Result, error) {
	addresses = slices.Compact(slices.Sorted(slices.Values(addresses)))
	out := Result{Gone: map[string]string{}}
	if n := len(addresses); n > MaxAddresses {
		addresses, out.Left = addresses[:MaxAddresses], n-MaxAddresses
	}
	sites := map[string][]string{}
	for _, one := range addresses {
		if u, err := url.Parse(one); err == nil {
			sites[u.Host] = append(sites[u.Host], one)
		}
	}
	var mu sync.Mutex // guards out
	var all sync.WaitGroup
	free := make(chan struct{}, atOnce)
	for _, list := range sites {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			for _, one := range list {
				if ctx.Err() != nil {
					return
				}
				why, known := opt.ask(ctx, one)
				mu.Lock()
				switch {
				case why != "":
					out.Gone[one] = why
				case known:
					out.Good = append(out.Good, one)
				default:
					out.Unknown++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return out, ctx.Err()
}

// ask returns why an address leads nowhere; "" if it answers, or if that is not known.
func (o Options) ask(ctx context.Context, address string) (why string, known bool) {
	key := sha256.Sum256(fmt.Appendf(nil, "external link %s %s", o.Day.UTC().Format(time.DateOnly), address))
	if o.Cache != nil {
		if _, ok := o.Cache.Get(key); ok {
			return "", true
		}
	}
	status, err := o.request(ctx, http.MethodHead, address)
	if err == nil && status >= 400 { // some sites answer GET only
		status, err = o.request(ctx, http.MethodGet, address)
	}
	var lookup *net.DNSError
	switch {
	case errors.As(err, &lookup) && lookup.IsNotFound:
		return "the host does not exist", true
	case err != nil:
		return "", false
	case status == http.StatusNotFound || status == http.StatusGone:
		return fmt.Sprintf("the site responds with %d", status), true
	case status >= 400: // it may refuse programs, or be busy
		return "", false
	}
	if o.Cache != nil {
		o.Cache.Put(key, []byte{1})
	}
	return "", true
}

func (o Options) request(ctx context.Context, method, address string) (int, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return 0, fmt.Errorf("ask for link: %w", err)
	}
	r.URL.User = nil // names and passwords that stand in a page are sent nowhere
	r.Header.Set("User-Agent", o.Agent)
	response, err := o.Client.Do(r)
	if err != nil {
		return 0, fmt.Errorf("ask for link: %w", err)
	}
	_, _ = io.CopyN(io.Discard, response.Body, 1<<10) // lets the connection be used again; errors do not matter
	return response.StatusCode, response.Body.Close()
}
