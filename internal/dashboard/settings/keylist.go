package settings

import (
	"strings"
	"time"

	"github.com/lectern-docs/lectern/client"
	"github.com/lectern-docs/lectern/internal/dashboard/shell"
)

// keyRow is a key in the list.
type keyRow struct {
	client.Key
	State    string // live, expired or revoked
	By       string // who created it
	Children int    // live keys on this page created by it
}

// keyList loads the keys selected by the URL. names maps member ids to names; keyList adds the names of the keys.
func keyList(v *shell.Visit, names map[string]string) (shell.Listing[keyRow], error) {
	return shell.List(v, shell.Listed[keyRow]{Noun: "keys", Columns: keyColumns, Newest: "created", Size: 50,
		Text: func(k keyRow) string {
			return strings.Join([]string{k.Label, k.Prefix, k.KeyID, k.By, strings.Join(k.Scopes, " ")}, " ")
		},
		States: []string{"live", "expired", "revoked"}, State: func(k keyRow) string { return k.State },
		Load: func(_, cursor string, limit int) ([]keyRow, string, error) {
			list, err := v.API.ListKeys(v.Ctx(), client.ListKeysParams{Limit: limit, Cursor: cursor})
			if err != nil {
				return nil, "", err
			}
			return keyRows(list.Keys, names, v.B.Now()), shell.Text(list.NextCursor), nil
		}})
}

func keyRows(list []client.Key, names map[string]string, now time.Time) (out []keyRow) {
	children := map[string]int{}
	for _, k := range list {
		names[k.KeyID] = k.Label
		if k.CreatedBy != nil && keyState(k, now) == "live" {
			children[*k.CreatedBy]++
		}
	}
	for _, k := range list {
		out = append(out, keyRow{k, keyState(k, now), maker(k.CreatedBy, names), children[k.KeyID]})
	}
	return out
}

// keyColumns are the columns of the list of keys.
var keyColumns = []shell.Column[keyRow]{
	{Key: "label", Label: "Key", Compare: func(a, b keyRow) int {
		return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
	}},
	{Key: "state", Label: "State", Compare: func(a, b keyRow) int { return strings.Compare(a.State, b.State) }},
	{Label: "May"}, {Label: "From"},
	{Key: "created", Label: "Created", Down: true, Compare: func(a, b keyRow) int {
		return a.CreatedAt.Compare(b.CreatedAt)
	}},
	{Key: "expires", Label: "Expires", Compare: func(a, b keyRow) int { return compareTimes(a.ExpiresAt, b.ExpiresAt) }},
	{Key: "used", Label: "Last used", Down: true, Compare: func(a, b keyRow) int {
		return compareTimes(a.LastUsedAt, b.LastUsedAt)
	}},
}

// compareTimes sorts nil first.
func compareTimes(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	return a.Compare(*b)
}

func keyState(k client.Key, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case k.ExpiresAt != nil && !now.Before(*k.ExpiresAt):
		return "expired"
	}
	return "live"
}

// maker returns the name of a creator: by is nil for the server's operator.
func maker(by *string, names map[string]string) string {
	if by == nil {
		return "the server's operator"
	}
	if name := names[*by]; name != "" {
		return name
	}
	return *by
}
