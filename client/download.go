package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// ErrCorrupt says that downloaded bytes are not those that the link promised.
var ErrCorrupt = errors.New("the downloaded bundle is not the one that was exported")

// Download writes a bundle to w and checks its size and SHA-256. Whatever the error, w may have been written to: put
// the bytes to use only when it is nil. A link that expired is an *Error with status 403; get a new one with
// CreateExportBundle.
func (c *Client) Download(ctx context.Context, link *BundleLink, w io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link.BundleURL, nil)
	if err != nil {
		return errors.New("make download request: the link is not a URL") // the parser's error would quote it
	}
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set("Accept-Encoding", "identity") // the sum is over the bytes as stored
	resp, err := c.plain.Do(req)
	if err != nil {
		return fmt.Errorf("download bundle: %w", withoutURL(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return readError(resp)
	}
	sum := sha256.New()
	// One byte more than promised is enough to know that there is too much.
	n, err := io.Copy(io.MultiWriter(w, sum), io.LimitReader(resp.Body, link.SizeBytes+1))
	if err != nil {
		return fmt.Errorf("download bundle: %w", err)
	}
	if n != link.SizeBytes {
		return fmt.Errorf("%w: want %d bytes, have %s", ErrCorrupt, link.SizeBytes, atLeast(n, link.SizeBytes))
	}
	if have := hex.EncodeToString(sum.Sum(nil)); !strings.EqualFold(have, link.SHA256) {
		return fmt.Errorf("%w: want the SHA-256 %s, have %s", ErrCorrupt, link.SHA256, have)
	}
	return nil
}

// withoutURL drops the address from an error of net/http: anyone who reads it could use the link.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func atLeast(n, want int64) string {
	if n > want {
		return "more"
	}
	return fmt.Sprint(n)
}
