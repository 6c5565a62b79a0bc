package github

import (
	"context"
	"crypto/sha256"
	"net/http"
	"sync"
	"time"
)

// renewBefore is how long before its end a token is replaced, so that what begins with it can end with it.
const renewBefore = 5 * time.Minute

// maxTokens bounds what is remembered; beyond it everything is forgotten, which costs a request each.
const maxTokens = 1000

// Tokens gets tokens for Apps and keeps each until shortly before its end. It is safe for concurrent use.
type Tokens struct {
	client *http.Client
	now    func() time.Time

	mu   sync.Mutex
	kept map[place]issued
}

// place is what a token is good for. The key is part of it, so that a changed one is used at once.
type place struct {
	api, owner, name string
	write, report    bool
	hooks, talk      bool
	app              string
	key              [sha256.Size]byte
}

// NewTokens makes an empty store of tokens.
func NewTokens(client *http.Client, now func() time.Time) *Tokens {
	return &Tokens{client: client, now: now, kept: map[place]issued{}}
}

// Use says what a token is for.
type Use struct {
	Write  bool          // false = only to read the repository
	Report bool          // to comment on pull requests and set statuses of commits, and not to change the repository
	Talk   bool          // to comment on pull requests and issues, and not to change the repository
	Hooks  bool          // to manage webhooks, and not to read the repository's files
	Lasts  time.Duration // how long it must work at least; five minutes are the least anyway
}

// Find returns a token for one repository. Two callers at once may both ask GitHub: either token is good.
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
