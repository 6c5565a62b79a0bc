package saml

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/serve/idpfault"
)

const (
	fetchLife = 10 * time.Second // timeout of a metadata request, including the response body
	// freshLife is how long downloaded metadata is used before it is fetched again, and staleLife is how long it is
	// used if that fails: the provider may work while its metadata URL does not.
	freshLife = time.Hour
	staleLife = 24 * time.Hour
	// retryLife is the minimum age of metadata before it is fetched again because no key matches a signature.
	retryLife = time.Minute
)

// Options configures one provider. Metadata or MetadataURL, and Now, are required.
type Options struct {
	Metadata    string // XML
	MetadataURL string // used if Metadata is ""
	// Names of the attributes with a person's email address, name and groups; "" = the common names.
	EmailAttribute, NameAttribute, GroupsAttribute string
	// fetches metadata; only its transport is used; nil = the default
	HTTP *http.Client
	Now  func() time.Time // used to check validity
}

// Check rejects invalid settings without contacting the provider.
func (o Options) Check() error {
	refuse := func(field, public string) error {
		return fault.New(fault.Invalid, "invalid_saml_setting", public).WithField(field)
	}
	switch {
	case (o.Metadata == "") == (o.MetadataURL == ""):
		return refuse("metadata", "Give either the provider's metadata as XML or its address.")
	case o.MetadataURL != "":
		if err := checkAddress(o.MetadataURL); err != nil {
			return refuse("metadataUrl", "The address of the metadata cannot be used: "+err.Error()+".")
		}
		return nil
	}
	if _, err := parseMetadata([]byte(o.Metadata), o.Now()); err != nil {
		return refuse("metadata", "The metadata cannot be used: "+err.Error()+".")
	}
	return nil
}

// Provider is one identity provider. It is safe for concurrent use.
type Provider struct {
	opt   Options
	http  *http.Client
	turn  chan struct{} // held while metadata is fetched; other callers wait for the result
	known atomic.Pointer[described]
}

// New returns a provider without contacting it. It is contacted on first use.
func New(o Options) *Provider {
	client := &http.Client{CheckRedirect: idpfault.StayHere}
	if o.HTTP != nil {
		client.Transport = o.HTTP.Transport
	}
	return &Provider{opt: o, http: client, turn: make(chan struct{}, 1)}
}

// describe returns the provider's metadata, not older than age unless fetching it fails.
func (p *Provider) describe(ctx context.Context, age time.Duration) (*described, error) {
	if d := p.known.Load(); p.fresh(d, age) {
		return d, nil
	}
	select {
	case p.turn <- struct{}{}:
		defer func() { <-p.turn }()
	case <-ctx.Done():
		return nil, &idpfault.Silence{Err: ctx.Err()}
	}
	old := p.known.Load()
	if p.fresh(old, age) {
		return old, nil
	}
	d, err := p.load(ctx)
	if err != nil {
		if old != nil && p.opt.Now().Before(old.at.Add(staleLife)) {
			return old, nil
		}
		return nil, err
	}
	p.known.Store(d)
	return d, nil
}

func (p *Provider) fresh(d *described, age time.Duration) bool {
	return d != nil && (p.opt.MetadataURL == "" || p.opt.Now().Before(d.at.Add(age)))
}

func (p *Provider) load(ctx context.Context) (*described, error) {
	text := []byte(p.opt.Metadata)
	if p.opt.MetadataURL != "" {
		var err error
		if text, err = p.fetch(ctx); err != nil {
			return nil, err
		}
	}
	d, err := parseMetadata(text, p.opt.Now())
	if err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	return d, nil
}

func (p *Provider) fetch(ctx context.Context) ([]byte, error) {
	if err := checkAddress(p.opt.MetadataURL); err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	ctx, cancel := context.WithTimeout(ctx, fetchLife)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.opt.MetadataURL, nil)
	if err != nil {
		return nil, &idpfault.Mismatch{Err: err}
	}
	request.Header.Set("Accept", "application/samlmetadata+xml, application/xml, text/xml")
	answer, err := p.http.Do(request)
	if err != nil {
		if idpfault.Is[*idpfault.Mismatch](err) {
			return nil, err
		}
		return nil, &idpfault.Silence{Err: fmt.Errorf("fetch metadata: %w", err)}
	}
	text, err := io.ReadAll(io.LimitReader(answer.Body, MaxMetadata+1))
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return nil, &idpfault.Silence{Err: fmt.Errorf("fetch metadata: %w", err)}
	}
	switch {
	case answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests:
		return nil, &idpfault.Silence{Err: fmt.Errorf("fetch metadata: the response status is %d", answer.StatusCode)}
	case answer.StatusCode != http.StatusOK:
		return nil, &idpfault.Mismatch{Err: fmt.Errorf("fetch metadata: the response status is %d", answer.StatusCode)}
	}
	return text, nil
}
