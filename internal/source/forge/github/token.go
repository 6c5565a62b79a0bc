package github

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// renewBefore is how long before its expiry a token is replaced, so that an operation can finish with the token it
// started with.
const renewBefore = 5 * time.Minute

// maxTokens is the maximum number of cached tokens. Beyond it the cache is cleared, which costs one request per token.
const maxTokens = 1000

// Tokens requests tokens for Apps and caches each until shortly before it expires. It is safe for concurrent use.
type Tokens struct {
	client *http.Client
	now    func() time.Time

	mu   sync.Mutex
	kept map[place]issued
}

// place identifies what a token is valid for. It includes the App's key, so that a changed key takes effect
// immediately.
type place struct {
	api, owner, name string
	write, report    bool
	hooks, talk      bool
	app              string
	key              [sha256.Size]byte
}

// NewTokens returns an empty cache.
func NewTokens(client *http.Client, now func() time.Time) *Tokens {
	return &Tokens{client: client, now: now, kept: map[place]issued{}}
}

// Use describes what a token is used for.
type Use struct {
	Write  bool          // false = read-only access to the repository
	Report bool          // to comment on pull requests and set commit statuses, without write access to the repository
	Talk   bool          // to comment on pull requests and issues, without write access to the repository
	Hooks  bool          // to manage webhooks, without access to the repository's files
	Lasts  time.Duration // minimum remaining lifetime; at least five minutes in any case
}

// Find returns a token for one repository. Two concurrent callers may both request one from GitHub; both tokens work.
func (t *Tokens) Find(ctx context.Context, app App, api, owner, name string, use Use) (string, error) {
	p := place{api: api, owner: owner, name: name, write: use.Write, report: use.Report, hooks: use.Hooks, talk: use.Talk,
		app: app.ID, key: sha256.Sum256([]byte(app.PrivateKey))}
	t.mu.Lock()
	kept, ok := t.kept[p]
	t.mu.Unlock()
	if ok && t.now().Add(max(renewBefore, use.Lasts)).Before(kept.ExpiresAt) {
		return kept.Token, nil
	}
	fresh, err := app.issue(ctx, p, t.client, t.now)
	if err != nil {
		return "", err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) >= maxTokens {
		clear(t.kept)
	}
	t.kept[p] = fresh
	return fresh.Token, nil
}
