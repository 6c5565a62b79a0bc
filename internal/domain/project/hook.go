package project

const (
	hookPrefix = "whsec_"
	hookDigits = 43 // 62^43 is the first power above 2^256
	base62     = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// HookSecret returns the secret with which a code host signs webhooks for the project. It is derived from the server's
// master key and not stored. Each version (Project.HookVersion) has a different secret.
//
//	secret = "whsec_" and the 43 base62 digits of HMAC-SHA256(master, "webhook " projectID " " version)
func HookSecret(master []byte, projectID string, version int) string {
	return hookPrefix + derive(master, "webhook", projectID, version)
}
