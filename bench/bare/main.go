// Command bare is the lower bound for comparisons with the server: net/http with one precomputed response, the headers
// that describe its body, and a 304 for a known ETag. With -header, it also sends the server's other headers. It is a
// separate program because everything linked into a program costs memory and startup time.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	body := flag.String("answer", "ok", "what to send")
	folder := flag.String("folder", "",
		"send the pages and files of this `folder` instead, with their compressed forms, from memory")
	more := headers{}
	flag.Var(more, "header", "also send this header, written as `Name: value`; may be repeated")
	tick := flag.Duration("tick", 0, "also wake up this often; 0 = never")
	flag.Parse()
	if *tick > 0 {
		go func() {
			for range time.Tick(*tick) { // only wakes up
			}
		}()
	}
	if *folder != "" {
		fmt.Fprintln(os.Stderr, "bare:", http.ListenAndServe(*address, more.with(load(*folder))))
		os.Exit(1)
	}
	answer := []byte(*body)
	sum := sha256.Sum256(answer)
	etag := `"` + hex.EncodeToString(sum[:16]) + `"`
	length := strconv.Itoa(len(answer))
	err := http.ListenAndServe(*address, more.with(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "application/json")
		h.Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Length", length)
		_, _ = w.Write(answer)
	})))
	fmt.Fprintln(os.Stderr, "bare:", err)
	os.Exit(1)
}

// headers are sent with every response.
type headers map[string][]string

func (h headers) String() string { return "" }

// Set implements flag.Value.
func (h headers) Set(line string) error {
	name, value, ok := strings.Cut(line, ": ")
	if !ok {
		return fmt.Errorf("%q has no colon", line)
	}
	name = http.CanonicalHeaderKey(name)
	h[name] = append(h[name], value)
	return nil
}

func (h headers) with(next http.Handler) http.Handler {
	if len(h) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		maps.Copy(w.Header(), h)
		next.ServeHTTP(w, r)
	})
}

// files are stored by path, and compressed by path with the suffix .gz.
type files map[string]file

type file struct {
	body         []byte
	etag, length []string
}

func load(folder string) files {
	out := files{}
	for _, name := range []string{"small.html", "middle.html", "large.csv"} {
		for _, end := range []string{"", ".gz"} {
			data, err := os.ReadFile(filepath.Join(folder, name+end))
			if err != nil {
				fmt.Fprintln(os.Stderr, "bare:", err)
				os.Exit(1)
			}
			sum := sha256.Sum256(data)
			out["/"+strings.TrimSuffix(name, ".html")+end] = file{data,
				[]string{`"` + hex.EncodeToString(sum[:16]) + `"`}, []string{strconv.Itoa(len(data))}}
		}
	}
	return out
}

// ServeHTTP does the minimum for a response.
func (f files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h, path := w.Header(), r.URL.Path
	if r.Header.Get("Accept-Encoding") == "gzip" {
		h["Content-Encoding"], path = []string{"gzip"}, path+".gz"
	}
	found, ok := f[path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	h["Etag"], h["Content-Type"] = found.etag, []string{"text/html; charset=utf-8"}
	if r.Header.Get("If-None-Match") == found.etag[0] {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Length"] = found.length
	_, _ = w.Write(found.body)
}
