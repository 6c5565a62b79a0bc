package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

// serveBare is the lower bound: net/http, one answer made beforehand, the same headers, and a 304 for a known ETag.
func serveBare() {
	answer := []byte(os.Getenv("BENCH_ANSWER"))
	sum := sha256.Sum256(answer)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	length := strconv.Itoa(len(answer))
	err := http.ListenAndServe(os.Getenv("BENCH_ADDRESS"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Length", length)
		_, _ = w.Write(answer)
	}))
	fmt.Fprintln(os.Stderr, "bare:", err)
	os.Exit(1)
}
