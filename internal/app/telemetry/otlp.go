package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	exportAttempts = 4
	firstBackoff   = time.Second
	maxBackoff     = 30 * time.Second
	exportTimeout  = 10 * time.Second
)

// exporter sends spans to an OTLP/HTTP collector as JSON. It answers 429, 502, 503 and 504 with another attempt, as the
// protocol asks; everything else is final.
type exporter struct {
	url    string
	client *http.Client
	wait   func(ctx context.Context, d time.Duration) error // returns early when ctx ends
}

func newExporter(endpoint string, client *http.Client) (*exporter, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("parse trace endpoint: not an http or https URL") // which may hold a password
	}
	if !strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/v1/traces") {
		u = u.JoinPath("v1", "traces")
	}
	if client == nil {
		client = &http.Client{Timeout: exportTimeout}
	}
	return &exporter{url: u.String(), client: client, wait: sleep}, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := json.Marshal(newTraceData(spans))
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	backoff := firstBackoff
	for attempt := 1; ; attempt++ {
		again, after, err := e.post(ctx, body)
		if err == nil {
			return nil
		}
		if !again || attempt == exportAttempts {
			return fmt.Errorf("send spans: %w", err)
		}
		if waitErr := e.wait(ctx, min(max(after, backoff), maxBackoff)); waitErr != nil {
			return fmt.Errorf("send spans: %w", err)
		}
		backoff *= 2
	}
}

// Shutdown implements sdktrace.SpanExporter; nothing is held between exports.
func (e *exporter) Shutdown(context.Context) error { return nil }

// post makes one attempt and says whether another may help, and after how long at least.
func (e *exporter) post(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, fmt.Errorf("create request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.client.Do(req)
	if err != nil {
		return ctx.Err() == nil, 0, err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)); err != nil { // so that the connection can be used again
		return false, 0, fmt.Errorf("read response: %w", err)
	}
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // 0 when absent or a date
		return true, time.Duration(seconds) * time.Second, fmt.Errorf("the collector answered %s", resp.Status)
	}
	if resp.StatusCode/100 != 2 {
		return false, 0, fmt.Errorf("the collector answered %s", resp.Status)
	}
	return false, 0, nil
}
