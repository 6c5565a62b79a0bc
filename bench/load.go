package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// result of a load.
type result struct {
	perSecond float64
	p50, p99  time.Duration
}

// fetch gets one answer's body.
func fetch(url, key string) ([]byte, error) {
	r, err := get(url, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Body.Close() }()
	return io.ReadAll(r.Body)
}

func get(url, key string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	r, err := http.DefaultClient.Do(req)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("GET %s: %s", url, r.Status)
	}
	return r, err
}

// load sends the same request over and over on some connections. It writes prepared bytes and reads answers with as
// little work as it can, because it shares the machine with the server it measures.
func load(address, path, key string, conditional bool, connections int, length time.Duration) (result, error) {
	r, err := get("http://"+address+path, key)
	if err != nil {
		return result{}, err
	}
	_ = r.Body.Close()
	request := "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nAuthorization: Bearer " + key + "\r\n"
	want := http.StatusOK
	if conditional {
		request += "If-None-Match: " + r.Header.Get("ETag") + "\r\n"
		want = http.StatusNotModified
	}
	request += "\r\n"

	var mu sync.Mutex
	var all []time.Duration
	var failure error
	var wg sync.WaitGroup
	begin := time.Now()
	for range connections {
		wg.Go(func() {
			times, err := hammer(address, []byte(request), want, begin.Add(length))
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			if err != nil {
				failure = err
			}
		})
	}
	wg.Wait()
	if failure != nil {
		return result{}, failure
	}
	took := time.Since(begin)
	slices.Sort(all)
	return result{perSecond: float64(len(all)) / took.Seconds(), p50: all[len(all)/2], p99: all[len(all)*99/100]}, nil
}

func hammer(address string, request []byte, want int, until time.Time) ([]time.Duration, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	var times []time.Duration
	for in := bufio.NewReader(conn); time.Now().Before(until); {
		begin := time.Now()
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		r, err := http.ReadResponse(in, nil)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		if r.StatusCode != want {
			return nil, fmt.Errorf("answered %s", r.Status)
		}
		times = append(times, time.Since(begin))
	}
	return times, nil
}
