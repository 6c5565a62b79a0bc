package docsjson

import (
	"slices"
	"strings"

	"github.com/lectern-docs/lectern/internal/foundation/jsontree"
	"github.com/lectern-docs/lectern/internal/site"
)

// socialsKey returns the key for {network: address}, or for [{type, url}] in older files.
func socialsKey(to *[]site.Link) key {
	socials := object()
	for _, name := range networks() {
		socials.keys = append(socials.keys, key{name: name, shape: text()})
	}
	older := listOf(object(key{name: "type", shape: text()}, key{name: "url", shape: text()}).
		needing("bad-link", "type", "url"))
	add := func(network, href string) {
		if href = strings.TrimSpace(href); href != "" {
			*to = append(*to, site.Link{Label: brand(network), Href: href, Icon: network})
		}
	}
	return key{name: "socials", shape: socials.or(older), set: func(v *jsontree.Value) {
		for _, item := range v.Items {
			add(item.Get("type").Text(), item.Get("url").Text())
		}
		for _, m := range v.Members {
			add(m.Key, m.Value.Text())
		}
	}}
}

// networks returns the names of social networks as site files spell them.
func networks() []string {
	return []string{
		"x", "x-twitter", "twitter", "website", "facebook", "youtube", "discord", "slack", "github", "gitlab",
		"linkedin", "instagram",
		"hacker-news", "medium", "telegram", "bluesky", "threads", "reddit", "podcast", "earth-americas", "earth",
		"stack-overflow",
		"tiktok", "whatsapp", "mastodon", "twitch",
	}
}

// brand returns a network's name in its official spelling.
func brand(key string) string {
	names := []string{
		"GitHub", "GitLab", "LinkedIn", "YouTube", "TikTok", "WhatsApp", "Hacker News", "Stack Overflow", "X",
		"Twitter", "Bluesky",
		"Discord", "Slack", "Telegram", "Reddit", "Facebook", "Instagram", "Medium", "Threads", "Website",
		"Podcast", "Earth", "Mastodon", "Twitch",
	}
	switch key {
	case "x-twitter":
		return "X"
	case "earth-americas":
		return "Website"
	}
	i := slices.IndexFunc(names, func(n string) bool {
		return strings.EqualFold(strings.ReplaceAll(n, " ", ""), strings.NewReplacer("-", "", " ", "").Replace(key))
	})
	if i < 0 {
		return key
	}
	return names[i]
}
