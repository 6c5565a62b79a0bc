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

// Push is a push event in GitHub's format, for code hosts and scripts that cannot send such webhooks themselves.
type Push struct {
	Secret   string // the project's webhook secret; signs the event
	Delivery string // id of this delivery; the server ignores an id it has already received
	Event    any    // body, such as {"ref": "refs/heads/main", "after": "<commit>"}
}

// SendPush notifies a project of a push. It is authenticated by its signature, not by the admin API key.
func (c *Client) SendPush(ctx context.Context, projectID string, in Push) (*WebhookAnswer, error) {
	body, err := json.Marshal(in.Event)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	mac := hmac.New(sha256.New, []byte(in.Secret))
	mac.Write(body)
	push := sendPushCall(projectID, body) // raw JSON is sent unchanged, so these are exactly the signed bytes
	push.header = http.Header{}
	push.header.Set("X-GitHub-Event", "push")
	push.header.Set("X-GitHub-Delivery", in.Delivery)
	push.header.Set("X-Hub-Signature-256", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	return ask[WebhookAnswer](ctx, c, push, nil)
}
