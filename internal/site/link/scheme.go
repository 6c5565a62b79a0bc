package link

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// tidy removes characters that browsers ignore in a URL, so that we check the URL that browsers will use.
func tidy(ref string) (string, bool) {
	if len(ref) > maxRef || !utf8.ValidString(ref) {
		return "", false
	}
	ref = strings.TrimFunc(ref, func(r rune) bool { return r <= ' ' })
	if strings.ContainsAny(ref, "\t\n\r") { // the common case needs no new string; there are many URLs
		ref = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(ref)
	}
	if i := pathStart(ref); i > 0 && strings.Contains(ref[i:], `\`) {
		ref = ref[:i] + strings.ReplaceAll(ref[i:], `\`, "%5C")
	}
	if strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\\' }) {
		return "", false
	}
	return ref, true
}

// pathStart returns the offset of the path in an absolute URL. From there on, a backslash cannot change the host. It
// returns 0 for other references.
func pathStart(ref string) int {
	scheme, rest, ok := strings.Cut(ref, "://")
	if s := strings.ToLower(scheme); !ok || s != "http" && s != "https" {
		return 0
	}
	host := strings.IndexAny(rest, `/\?#`)
	if host <= 0 || rest[host] == '\\' {
		return 0
	}
	return len(scheme) + len("://") + host
}

// schemeOf returns the lower-case scheme of ref, if it has one.
func schemeOf(ref string) (string, bool) {
	for i := range len(ref) {
		c := ref[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (ref[i] >= '0' && ref[i] <= '9' || ref[i] == '+' || ref[i] == '-' || ref[i] == '.'):
		case i > 0 && ref[i] == ':':
			return strings.ToLower(ref[:i]), true
		default:
			return "", false
		}
	}
	return "", false
}

// Safe reports whether a URL has the scheme http, https or mailto, or no scheme.
func Safe(ref string) bool {
	ref, ok := tidy(ref)
	if !ok {
		return false
	}
	s, has := schemeOf(ref)
	return !has || s == "http" || s == "https" || s == "mailto"
}

// apps lists schemes for which a browser asks the reader and then starts another program, for example to make a call,
// write a message or open an editor. They cannot run code on the page. All other schemes are refused: javascript:,
// data: and anything else that may be registered on a system.
const apps = " tel sms callto facetime xmpp sip sips irc ircs matrix tg slack discord whatsapp signal msteams zoommtg skype spotify" +
	" cursor vscode vscode-insiders vscodium windsurf zed jetbrains idea fleet xcode warp raycast obsidian notion linear figma github-mac" +
	" x-github-client git ssh ftp ftps sftp magnet bitcoin ethereum lightning ipfs ipns ton tonkeeper wc metamask solana nostr goose claude" +
	" chatgpt devin kiro lmstudio insomnia postman docker-desktop itms-apps market webcal ws wss "

// app returns the target for a URL that another program opens, correctly encoded.
func app(ref, scheme string) Target {
	return Target{Kind: External, Href: scheme + ":" + escapeQuery(ref[len(scheme)+1:])}
}

func external(ref, scheme string) Target {
	if strings.Contains(apps, " "+scheme+" ") {
		return app(ref, scheme)
	}
	if scheme != "http" && scheme != "https" && scheme != "mailto" {
		return Target{Kind: Unsafe}
	}
	if rest := ref[len(scheme)+1:]; scheme != "mailto" &&
		(!strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "///")) {
		ref = scheme + "://" + strings.TrimLeft(rest, "/") // as browsers interpret it
	}
	u, err := url.Parse(ref)
	if err != nil { // an author's typo: escape what is not valid in a URL
		head, rest, _ := strings.Cut(ref, ":")
		return Target{Kind: External, Href: head + ":" + escapeQuery(rest)}
	}
	if scheme != "mailto" && u.Host == "" {
		return Target{Kind: Unsafe}
	}
	// the parser may have accepted invalid characters in the host
	return Target{Kind: External, Href: escapeQuery(u.String())}
}
