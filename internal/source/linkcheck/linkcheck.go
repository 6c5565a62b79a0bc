// Package linkcheck checks whether links to other sites still work.
//
// Inputs: addresses, and an HTTP client from package outbound. Outputs: the addresses that no longer exist, with a
// reason. It never sends anything but HEAD and GET requests without credentials, and never reports a site that refuses
// programs or is busy.
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
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/lazyregexp"
)

// Limits of one run.
const (
	MaxAddresses = 2000 // addresses that are requested
	atOnce       = 16   // sites
)

// Cache caches positive results. It is the cache of builds.
type Cache interface {
	Get(key [32]byte) (value []byte, ok bool)
	Put(key [32]byte, value []byte)
}

// Options configures a run.
type Options struct {
	Client *http.Client
	Cache  Cache     // nil = none
	Day    time.Time // cached results of other days are not used
	Agent  string    // User-Agent
}

// Result is the result of a run.
type Result struct {
	Gone    map[string]string // address → why it does not work
	Good    []string          // addresses that work
	Unknown int               // addresses without a clear result
	Left    int               // addresses that were not requested because there are too many
}

// link matches links to other sites. The platform generates the HTML, so attributes have double quotes.
var link = lazyregexp.New(`<a [^>]*?href="(https?://[^"]+)"`)

// Links returns the addresses of other sites that a page's text links to, without duplicates and fragments.
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

// Run requests the addresses. Addresses on the same site are requested one after the other.
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

// ask returns the reason why an address does not work, or "" if it works or the result is unclear.
func (o Options) ask(ctx context.Context, address string) (why string, known bool) {
	key := sha256.Sum256(fmt.Appendf(nil, "external link %s %s", o.Day.UTC().Format(time.DateOnly), address))
	if o.Cache != nil {
		if _, ok := o.Cache.Get(key); ok {
			return "", true
		}
	}
	status, err := o.request(ctx, http.MethodHead, address)
	if err == nil && status >= 400 { // some sites support only GET
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
	case status >= 400: // the site may refuse programs or be busy
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
		return 0, fmt.Errorf("request link: %w", err)
	}
	r.URL.User = nil // names and passwords in a page's links are never sent
	r.Header.Set("User-Agent", o.Agent)
	response, err := o.Client.Do(r)
	if err != nil {
		return 0, fmt.Errorf("request link: %w", err)
	}
	_, _ = io.CopyN(io.Discard, response.Body, 1<<10) // lets the connection be reused; errors do not matter
	return response.StatusCode, response.Body.Close()
}
