package s3

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/fault"
	"github.com/lectern-docs/lectern/internal/store/blob"
)

// Link presigns a GET. If the credentials are temporary, the link expires with them at the latest, because the server
// refuses links signed with expired credentials. It uses the real clock, because the client library signs with it.
func (s *Store) Link(ctx context.Context, key, filename string, life time.Duration) (blob.Link, error) {
	if err := blob.CheckKey(key); err != nil {
		return blob.Link{}, err
	}
	filename, err := blob.Filename(key, filename)
	if err != nil {
		return blob.Link{}, err
	}
	if err := blob.CheckLife(life); err != nil {
		return blob.Link{}, err
	}
	if !s.credentialExpiry.IsZero() {
		life = min(life, time.Until(s.credentialExpiry))
		if life < blob.MinLinkLife {
			return blob.Link{}, fault.New(fault.Unavailable, "blob_unavailable",
				"The credentials of the object storage have expired.")
		}
	}
	signed, err := s.links.PresignedGetObject(ctx, s.bucket, s.prefix+key, life, url.Values{
		"response-content-disposition": {blob.Disposition(filename)},
		"response-cache-control":       {"private, no-store"},
	})
	if err != nil {
		return blob.Link{}, explain(err, "sign link to", key)
	}
	expires, err := expiry(signed.Query())
	if err != nil {
		return blob.Link{}, explain(err, "sign link to", key)
	}
	return blob.Link{URL: signed.String(), ExpiresAt: expires}, nil
}

// expiry returns the time that the server will enforce, from the signed query: the signing time in whole seconds, plus
// the lifetime.
func expiry(query url.Values) (time.Time, error) {
	signedAt, err := time.Parse("20060102T150405Z", query.Get("X-Amz-Date"))
	if err != nil {
		return time.Time{}, fmt.Errorf("read signing time: %w", err)
	}
	seconds, err := strconv.ParseInt(query.Get("X-Amz-Expires"), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read lifetime: %w", err)
	}
	return signedAt.Add(time.Duration(seconds) * time.Second), nil
}
