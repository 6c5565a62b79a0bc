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

// Thread is the client's information about the conversation that a question belongs to. All fields except Reader
// are untrusted.
type Thread struct {
	ID   string // id sent by the client; "" = none
	Seen string // id from an earlier answer; "" = none
	Chat string // the client's own name for the conversation; "" = none
	// identifies the reader to the server, never by a complete address; "" = unknown, so that Chat is ignored
	Reader string
}

// named reports whether the client refers to a conversation.
func (t Thread) named() bool { return t.ID != "" || t.Seen != "" || t.Chat != "" }

// findThread returns the id of the conversation that a question belongs to. A client that knows the id of one of the
// project's conversations continues it: ids are sent with answers and cannot be guessed. An unknown id may belong to a
// conversation that has expired. Without an id, the client's own name for the chat identifies the conversation among
// the same reader's conversations of that day. This does not apply to a reader who asked not to be counted: the name is
// often the same for all chats, so it would link the reader's questions to each other.
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

// chatThread returns a conversation id for the client's own name of a chat. The same name gives different ids for
// different readers, sites and callers. The id is derived with the day's salt: once the salt is deleted, the id
// does not reveal who asked, and on another day the same reader gets another id. The salt is looked up each time,
// so that no process keeps it longer than the store does.
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
		// the length prefix prevents different lists of parts from giving the same bytes
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return id.From(id.Thread, mac.Sum(nil)), nil
}
