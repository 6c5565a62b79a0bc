package project

import (
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
)

const (
	hookPrefix = "whsec_"
	hookDigits = 43 // 62^43 is the first power above 2^256
	base62     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// HookSecret is what a code host signs its pushes to the project with. It is derived from the server's master key and
// stored nowhere; a higher version (Project.HookVersion) gives another secret.
//
//	secret = "whsec_" and the 43 base62 digits of HMAC-SHA256(master, "webhook " projectID " " version)
func HookSecret(master []byte, projectID string, version int) string {
	mac := hmac.New(sha256.New, master)
	fmt.Fprintf(mac, "webhook %s %d", projectID, version)
	n, digit := new(big.Int).SetBytes(mac.Sum(nil)), new(big.Int)
	var out [hookDigits]byte
	for i := len(out) - 1; i >= 0; i-- {
		n.DivMod(n, big.NewInt(int64(len(base62))), digit)
		out[i] = base62[digit.Int64()]
	}
	return hookPrefix + string(out[:])
}
