package githubapp

import (
	"time"

	"github.com/lectern-docs/lectern/internal/foundation/sealbox"
	"github.com/lectern-docs/lectern/internal/source/forge"
)

// kept is an App whose key could not be stored immediately. GitHub shows the key only once, so the person's browser
// keeps it in a form that only this server can decrypt.
type kept struct {
	Request
	AppID, Key, Account string
	InstallURL          string
	Until               time.Time
}

const keptPurpose = "lectern github app key"

// Keep returns an App with its key, encrypted for the person who created it.
func (f *Flow) Keep(p Person, m Made) string {
	return sealbox.Seal(f.Masters[0], f.Rand, keptPurpose, p.owner(), kept{Request: m.Request, AppID: m.App.ID,
		Key: m.App.PrivateKey, Account: m.CreatedApp.Owner, InstallURL: m.InstallURL, Until: f.Now().Add(Life)})
}

// Kept decrypts an App returned by Keep for the same person within the last hour.
func (f *Flow) Kept(p Person, sealed string) (Made, error) {
	var k kept
	if _, ok := sealbox.Open(f.Masters, keptPurpose, p.owner(), sealed, &k); !ok || !f.Now().Before(k.Until) {
		return Made{}, badState()
	}
	out := Made{Request: k.Request, InstallURL: k.InstallURL}
	out.App, out.CreatedApp.Owner = forge.App{ID: k.AppID, PrivateKey: k.Key}, k.Account
	return out, nil
}
