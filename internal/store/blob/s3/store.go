package s3

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// maxTries is how many times a request is sent before its error is returned.
const maxTries = 5

// Options configures access to the bucket.
type Options struct {
	Endpoint string // host, host:port, or a URL; the scheme of a URL overrides Insecure
	Region   string // queried from the server if empty
	Bucket   string
	Prefix   string // folder in the bucket, without leading and trailing slashes; may be empty

	AccessKey, SecretKey string
	SessionToken         string    // for temporary credentials; may be empty
	CredentialExpiry     time.Time // for temporary credentials; zero means never

	// Proxy returns the forward proxy for a request, or nil for none. If Proxy itself is nil, the library uses the
	// environment variables.
	Proxy func(*http.Request) (*url.URL, error)

	PathStyle bool // bucket in the path instead of the host name
	Insecure  bool // plain HTTP

	// LinkEndpoint is the endpoint that links point to, in the same form as Endpoint; "" means Endpoint.
	LinkEndpoint string
}

// Store is a blob.Store in a bucket.
type Store struct {
	core             minio.Core
	links            *minio.Client // only signs links, never connects
	bucket, prefix   string        // prefix is empty or ends with a slash
	credentialExpiry time.Time
}

var (
	_ blob.Store   = (*Store)(nil)
	_ blob.Cleaner = (*Store)(nil)
)

// Open connects to the bucket and fails if it is not reachable.
func Open(ctx context.Context, options Options) (*Store, error) {
	if options.Prefix != "" && !blob.ValidKey(options.Prefix) {
		return nil, fmt.Errorf("open bucket %s: prefix %q is not valid", options.Bucket, options.Prefix)
	}
	if options.AccessKey == "" || options.SecretKey == "" {
		return nil, fmt.Errorf("open bucket %s: access key and secret key are needed", options.Bucket)
	}
	client, err := dial(options.Endpoint, options)
	if err != nil {
		return nil, err
	}
	if err := reach(ctx, client, options); err != nil {
		return nil, err
	}
	if options.Region == "" {
		// Signing must work without a request, so the region is determined here.
		if options.Region, err = client.GetBucketLocation(ctx, options.Bucket); err != nil {
			return nil, fmt.Errorf("find region of bucket %s: %w", options.Bucket, err)
		}
	}
	if options.LinkEndpoint == "" {
		options.LinkEndpoint = options.Endpoint
	}
	links, err := dial(options.LinkEndpoint, options)
	if err != nil {
		return nil, err
	}
	s := &Store{
		core:             minio.Core{Client: client},
		links:            links,
		bucket:           options.Bucket,
		credentialExpiry: options.CredentialExpiry,
	}
	if options.Prefix != "" {
		s.prefix = options.Prefix + "/"
	}
	return s, nil
}

// dial returns a client for one endpoint without connecting.
func dial(endpoint string, options Options) (*minio.Client, error) {
	host, secure := endpoint, !options.Insecure
	if strings.Contains(endpoint, "://") {
		parsed, err := url.Parse(endpoint)
		if err != nil {
			return nil, fmt.Errorf("read endpoint %q: %w", endpoint, err)
		}
		if parsed.Scheme != "http" && parsed.Scheme != "https" || strings.Trim(parsed.Path, "/") != "" {
			return nil, fmt.Errorf("read endpoint %q: want http(s)://host[:port]", endpoint)
		}
		host, secure = parsed.Host, parsed.Scheme == "https"
	}
	lookup := minio.BucketLookupDNS
	if options.PathStyle {
		lookup = minio.BucketLookupPath
	}
	transport, err := minio.DefaultTransport(secure)
	if err != nil {
		return nil, fmt.Errorf("create transport: %w", err)
	}
	if options.Proxy != nil {
		transport.Proxy = options.Proxy
	}
	client, err := minio.New(host, &minio.Options{
		Transport:    transport,
		Creds:        credentials.NewStaticV4(options.AccessKey, options.SecretKey, options.SessionToken),
		Secure:       secure,
		Region:       options.Region,
		BucketLookup: lookup,
		MaxRetries:   maxTries,
	})
	if err != nil {
		return nil, fmt.Errorf("read endpoint %q: %w", endpoint, err)
	}
	return client, nil
}

// reach fails if the bucket does not exist or the credentials may not use it.
func reach(ctx context.Context, client *minio.Client, options Options) error {
	exists, err := client.BucketExists(ctx, options.Bucket)
	if err != nil {
		return fmt.Errorf("reach bucket %s at %s: %w", options.Bucket, options.Endpoint, err)
	}
	if !exists {
		return fmt.Errorf("reach bucket %s at %s: it does not exist", options.Bucket, options.Endpoint)
	}
	return nil
}

// explain adds the operation and the key to an error of the S3 client, and converts errors that an operator can act on
// to faults.
func explain(err error, verb, key string) error {
	var answer minio.ErrorResponse
	var network net.Error
	var source *sourceError
	switch {
	case errors.As(err, &source):
	case errors.As(err, &answer) && answer.Code == minio.NoSuchKey:
		return blob.NotFound(key)
	case errors.As(err, &answer) && refuses(answer):
		err = fault.New(fault.Unavailable, "blob_unavailable", "The object storage rejects this server's requests.").
			WithCause(fmt.Errorf("%w: %w", fault.ErrUnavailable, err))
	case errors.As(err, &answer) && answer.StatusCode >= http.StatusInternalServerError,
		errors.As(err, &network) && !errors.Is(err, context.Canceled):
		err = fault.New(fault.Unavailable, "blob_unavailable", "The object storage does not respond.").
			WithCause(fmt.Errorf("%w: %w", fault.ErrUnavailable, err))
	}
	return fmt.Errorf("%s blob %s: %w", verb, key, err)
}

// refuses reports whether the storage refused the request for a reason that does not depend on the blob and that an
// operator can fix: expired keys or keys without the necessary permissions, a wrong clock, a missing bucket, too many
// requests.
func refuses(answer minio.ErrorResponse) bool {
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return true
	}
	return answer.Code == minio.NoSuchBucket || answer.Code == "ExpiredToken" // ExpiredToken comes with status 400
}
