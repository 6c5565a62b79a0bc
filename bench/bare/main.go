// Command bare is the lower bound that the server is measured beside: net/http, one answer made beforehand, the same headers, and a 304 for
// a known ETag. It is a program of its own because it must carry nothing else: what a program links costs memory and time to start.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strconv"
)

func main() {
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	body := flag.String("answer", "ok", "what to send")
	flag.Parse()
	answer := []byte(*body)
	sum := sha256.Sum256(answer)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	length := strconv.Itoa(len(answer))
	err := http.ListenAndServe(*address, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
