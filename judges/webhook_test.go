package judges

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/lectern-docs/lectern/client"
)

// message is a received delivery with the secrets that must and must not verify it.
type message struct {
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Valid   []string          `json:"valid"`
	Invalid []string          `json:"invalid"`
}

// W1: the Standard Webhooks library verifies a running server's deliveries, after a rotation with either secret. It
// rejects deliveries that were changed, arrive late, or are verified with another secret. A message for Microsoft Teams
// is a valid card.
func TestThirdPartyLibraryVerifiesWebhooks(t *testing.T) {
	t.Parallel()
	note := judged(t, "Webhooks", npmVersion(t, "standardwebhooks")+", "+npmVersion(t, "adaptivecards"))
	s := serve(t, "--first-site", "off", "--allow-address", "127.0.0.1")
	arrived := make(chan message, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := message{Headers: map[string]string{}, Body: string(body)}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			m.Headers[name] = r.Header.Get(name)
		}
		w.WriteHeader(http.StatusNoContent)
		arrived <- m
	}))
	defer receiver.Close()
	made, err := s.client.CreateWebhookEndpoint(t.Context(),
		client.CreateWebhookEndpoint{URL: receiver.URL, Events: []string{"export.start"}}) // only test deliveries arrive
	if err != nil {
		t.Fatal(err)
	}
	teams, err := s.client.CreateWebhookEndpoint(t.Context(),
		client.CreateWebhookEndpoint{URL: receiver.URL, Format: "teams", Events: []string{"export.start"}})
	if err != nil {
		t.Fatal(err)
	}
	deliver := func(endpointID string) message {
		t.Helper()
		if _, err := s.client.TestWebhookEndpoint(t.Context(), endpointID); err != nil {
			t.Fatal(err)
		}
		select {
		case m := <-arrived:
			return m
		case <-t.Context().Done():
			t.Fatal("no delivery arrived")
			return message{}
		}
	}
	rotate := func() string {
		t.Helper()
		changed, err := s.client.RotateWebhookEndpointSecret(t.Context(), made.EndpointID)
		if err != nil {
			t.Fatal(err)
		}
		return changed.Secret
	}
	before := deliver(made.EndpointID)
	second := rotate()
	during := deliver(made.EndpointID)
	third := rotate()
	again := deliver(made.EndpointID)
	before.Valid, before.Invalid = []string{made.Secret}, []string{second, third}
	during.Valid, during.Invalid = []string{second, made.Secret}, []string{third}
	again.Valid, again.Invalid = []string{third, second}, []string{made.Secret}
	input, err := json.Marshal(map[string]any{"deliveries": []message{before, during, again},
		"cards": []string{deliver(teams.EndpointID).Body}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := nodeCommand(t, "webhook.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var n struct{ Verified, Refused, Cards int }
	if err := json.Unmarshal(out, &n); err != nil || n.Verified != 5 || n.Refused != 3*5+4 || n.Cards != 1 {
		t.Errorf("it checked %+v: %s (error %v)", n, out, err)
	}
	*note = fmt.Sprintf("%d signatures verified, %d refused, %d card read", n.Verified, n.Refused, n.Cards)
}
