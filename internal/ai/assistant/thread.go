package assistant

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/lectern-docs/lectern/internal/domain/audience"
	"github.com/lectern-docs/lectern/internal/foundation/id"
)

// Thread is what a client says about the conversation that a question belongs to. All of it but Reader is untrusted.
type Thread struct {
	ID   string // which one; "" = not said
	Seen string // which one an earlier answer said it belongs to; "" = none did
	Chat string // what the client itself calls the conversation; "" = nothing
	// who asks, as the server sees it, never with a whole address; "" = unknown, so that Chat means nothing
	Reader string
}

// named reports whether the client says that there is a conversation.
func (t Thread) named() bool { return t.ID != "" || t.Seen != "" || t.Chat != "" }

// findThread returns the conversation that a question belongs to. A client that knows the id of a conversation of the
// project continues it: ids are given out with answers and cannot be guessed. One that the project does not have may
// have been kept long enough. Without an id, the client's own name counts, among the chats of the same reader on one
// day, unless the reader asked not to be counted: such a name is often the same for every chat, so it would identify
// the reader's questions.
func (c *Conversations) findThread(ctx context.Context, v Visit) (string, error) {
	for _, named := range []string{v.Thread.ID, v.Thread.Seen} {
		if !id.Has(id.Thread, named) {
			continue
		}
		if c.Keeper == nil {
			return named, nil
		}
		if known, err := c.Keeper.HasThread(ctx, v.ProjectID, named); err != nil || known {
			return named, err
		}
	}
	if v.Thread.Chat != "" && v.Thread.Reader != "" && !v.Silent && c.Salts != nil {
		return c.chatThread(ctx, v)
	}
	return c.IDs.New(id.Thread), nil
}

// chatThread returns the id of the conversation that a reader's client calls by a name of its own. Readers, sites and
// ways to ask with the same name have different ones. It is made with the day's salt: once the salt is deleted, the id
// does not reveal who asked, and the same reader gets another id on another day. The salt is looked up each time, so
// that no process keeps it longer than the store does.
func (c *Conversations) chatThread(ctx context.Context, v Visit) (string, error) {
	fresh := make([]byte, audience.SaltSize)
	if _, err := io.ReadFull(c.IDs.Rand, fresh); err != nil {
		return "", fmt.Errorf("make salt: %w", err)
	}
	salt, err := c.Salts.FindSalt(ctx, audience.DayOf(c.Now()), fresh)
	if err != nil {
		return "", fmt.Errorf("find salt: %w", err)
	}
	mac := hmac.New(sha256.New, salt)
	for _, part := range []string{"assistant thread", v.ProjectID, string(v.Caller), v.Thread.Reader, v.Thread.Chat} {
		// so that no two lists of parts are the same bytes
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return id.From(id.Thread, mac.Sum(nil)), nil
}
