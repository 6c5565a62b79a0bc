package apiproxy

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// unpacked returns a response's body as the page sees it. APIs are asked for uncompressed bytes; a compressed
// response is decompressed within the size limit. Other encodings are forwarded unchanged, with the API's
// Content-Encoding.
func unpacked(resp *http.Response) (io.Reader, error) {
	packing := strings.ToLower(strings.TrimSpace(resp.Header.Get("Content-Encoding")))
	if resp.Request.Method == http.MethodHead || packing != "gzip" && packing != "x-gzip" && packing != "deflate" {
		return resp.Body, nil
	}
	in := bufio.NewReader(resp.Body)
	head, err := in.Peek(2)
	switch {
	case errors.Is(err, io.EOF) && len(head) == 0:
		return in, nil // empty body
	case packing == "deflate" && (err != nil || head[0]&0x0f != 8 || (int(head[0])<<8|int(head[1]))%31 != 0):
		return flate.NewReader(in), nil // deflate means zlib, but some servers send raw deflate
	}
	var z io.Reader
	if packing == "deflate" {
		z, err = zlib.NewReader(in)
	} else {
		z, err = gzip.NewReader(in)
	}
	if err != nil {
		return nil, fmt.Errorf("decompress response: %w", err)
	}
	return z, nil
}
