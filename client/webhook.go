package client

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
)

// Push is a push event as GitHub sends it, for code hosts and scripts that have no webhook of that kind themselves.
type Push struct {
	Secret   string // the project's webhook secret; signs the event
	Delivery string // id of this delivery; one that was already received is ignored
	Event    any    // body, such as {"ref": "refs/heads/main", "after": "<commit>"}
}

// SendPush tells a project of a push. The admin API key is not used: the signature is what counts.
func (c *Client) SendPush(ctx context.Context, projectID string, in Push) (*WebhookAnswer, error) {
	body, err := json.Marshal(in.Event)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	mac := hmac.New(sha256.New, []byte(in.Secret))
	mac.Write(body)
	header := http.Header{}
	header.Set("X-GitHub-Event", "push")
	header.Set("X-GitHub-Delivery", in.Delivery)
	header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	keyless := *c
	keyless.key = ""
	out := new(WebhookAnswer)
	// A json.RawMessage is sent as it stands, so the bytes are those that were signed.
	err = keyless.do(ctx, call{method: http.MethodPost, path: []string{"v1", "webhook", projectID}, body: json.RawMessage(body), header: header}, out)
	if err != nil {
		return nil, err
	}
	return out, nil
}
