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

// ErrCorrupt reports that a download does not match the size or checksum of its link.
var ErrCorrupt = errors.New("the downloaded bundle is not the one that was exported")

// Download writes a bundle to w and checks its size and SHA-256. On an error, part of the bundle may already have
// been written to w, so use the result only if the error is nil. An expired link is an *Error with status 403; get a
// new link with CreateExportBundle.
func (c *Client) Download(ctx context.Context, link *BundleLink, w io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link.BundleURL, nil)
	if err != nil {
		return errors.New("make download request: the link is not a URL") // the parser's error would quote the link
	}
	req.Header.Set("User-Agent", c.userAgent)
	req.Header.Set("Accept-Encoding", "identity") // the checksum covers the bytes as stored
	resp, err := c.plain.Do(req)
	if err != nil {
		return fmt.Errorf("download bundle: %w", withoutURL(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return readError(resp)
	}
	sum := sha256.New()
	// Reading one extra byte is enough to detect a download that is too long.
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

// withoutURL removes the URL from a net/http error, because the link grants access to anyone who sees it.
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
