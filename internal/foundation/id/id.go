// Package id generates the opaque, typed identifiers of everything the platform stores.
//
// Inputs: a prefix that identifies the type, and a source of randomness. Outputs: the prefix and 26 lower-case base32
// characters (130 random bits), which cannot be guessed. The part after the underscore is safe in host names. The
// random part has no meaning; nothing may sort by it or parse it.
package id

import (
	"encoding/base32"
	"fmt"
	"io"
	"strings"
)

// The prefixes, one for each stored type.
const (
	Organization  = "org_"
	Member        = "mem_"
	Person        = "usr_"
	Session       = "ses_"
	Group         = "grp_"
	Invitation    = "inv_"
	Key           = "key_"
	Credential    = "crd_"
	Project       = "prj_"
	Deployment    = "dep_"
	Export        = "se_"
	AgentJob      = "aj_"
	Proposal      = "pp_"
	Comment       = "pc_" // on a proposal
	Feedback      = "fb_"
	Event         = "evt_"
	Request       = "req_"
	Thread        = "thr_"
	Message       = "msg_"
	Mail          = "ml_"
	Endpoint      = "whe_" // of webhooks that the server sends
	Delivery      = "whd_"
	PullPreview   = "pvw_"
	Automation    = "aut_"
	AutomationRun = "arn_"
	Product       = "prd_" // a product repository
	Receipt       = "rct_"
	Mention       = "mnt_" // on a code host
)

const randomLen = 26

var alphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Source generates ids from Rand, which is crypto/rand.Reader in production and a seeded reader in tests.
type Source struct{ Rand io.Reader }

// New returns a new id. It panics if randomness fails, because the program cannot continue without it.
func (s Source) New(prefix string) string {
	raw := make([]byte, 17) // 17 bytes give 28 characters, of which 26 are used
	if _, err := io.ReadFull(s.Rand, raw); err != nil {
		panic(fmt.Sprintf("id: read randomness: %v", err))
	}
	return prefix + alphabet.EncodeToString(raw)[:randomLen]
}

// From derives an id from a digest of at least 17 bytes, such as a keyed hash. The same digest always gives the
// same id.
func From(prefix string, digest []byte) string {
	return prefix + alphabet.EncodeToString(digest[:17])[:randomLen]
}

// Has reports whether s has the format of an id with the given prefix.
func Has(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix)
	if !ok || len(rest) != randomLen {
		return false
	}
	for _, c := range rest {
		if (c < 'a' || c > 'z') && (c < '2' || c > '7') {
			return false
		}
	}
	return true
}
