package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// result is the result of a load test.
type result struct {
	requests  int
	perSecond float64
	p50, p99  time.Duration
}

// fetch returns the body of a response.
func fetch(url, key string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", url, r.Status)
	}
	return io.ReadAll(r.Body)
}

// pollFor polls a path of the API on several connections; conditional sends the current ETag.
func pollFor(address, path, key string, conditional bool, connections int, length time.Duration) (result, error) {
	q := request{address: address, path: path, header: []string{"Authorization: Bearer " + key}, want: http.StatusOK}
	if conditional {
		r, err := once(q)
		if err != nil {
			return result{}, err
		}
		q.header, q.want = append(q.header, "If-None-Match: "+r.etag), http.StatusNotModified
	}
	return storm(q, connections, length, 0)
}
