package docsjson

// This file defines the keys for the frame around pages.

func linkKeys() []key {
	return []key{
		{name: "label", shape: text()}, {name: "href", shape: text()}, {name: "icon", shape: iconShape()},
		{name: "iconType", shape: text()},
	}
}

// iconShape returns the shape of an icon's name, or {name, style, library}.
func iconShape() *shape {
	return text().or(object(
		key{name: "name", shape: text()}, key{name: "style", shape: text()},
		key{name: "library", shape: word("fontawesome", "lucide", "tabler")},
	).needing("", "name"))
}

func navbarShape() *shape {
	links := append(linkKeys(), key{name: "type", shape: word("link", "button", "github", "discord")},
		key{name: "primary", idle: "the main button is navbar.primary"})
	primary := append(linkKeys(), key{name: "type", shape: word("button", "link", "github", "discord")})
	return object(
		key{name: "links", shape: listOf(object(links...).needing("bad-link", "href"))},
		key{name: "primary", shape: object(primary...).needing("bad-link", "href")},
	)
}

// networks returns the names of social networks, as spelled in site files.
func networks() []string {
	return []string{
		"x", "x-twitter", "twitter", "website", "facebook", "youtube", "discord", "slack", "github", "gitlab",
		"linkedin", "instagram",
		"hacker-news", "medium", "telegram", "bluesky", "threads", "reddit", "podcast", "earth-americas", "earth",
		"stack-overflow",
		"tiktok", "whatsapp", "mastodon", "twitch",
	}
}

func footerShape() *shape {
	socials := object()
	for _, name := range networks() {
		socials.keys = append(socials.keys, key{name: name, shape: text()})
	}
	older := listOf(object(key{name: "type", shape: text()}, key{name: "url", shape: text()}).
		needing("bad-link", "type", "url"))
	items := listOf(object(linkKeys()...).needing("bad-link", "href"))
	column := object(key{name: "header", shape: text()}, key{name: "items", shape: items}).needing("", "items")
	columns := listOf(column)
	columns.most = 4
	return object(key{name: "socials", shape: socials.or(older)}, key{name: "links", shape: columns})
}

func bannerShape() *shape {
	return object(
		key{name: "content", shape: text()}, key{name: "dismissible", shape: boolean()},
		key{name: "type", shape: word("info", "warning", "critical")}, key{name: "color", shape: pairOf(color())},
	).needing("", "content")
}

// options returns the names of built-in actions on a page.
func options() []string {
	return []string{
		"copy", "view", "assistant", "download-spec", "download-pdf", "chatgpt", "claude", "perplexity", "grok",
		"aistudio", "devin", "mcp", "add-mcp", "cursor", "vscode",
	}
}

// spentOptions returns options of the format that this platform does not support.
func spentOptions() []key {
	const whyApp = "there is no known way to open it"
	return []key{
		{name: "devin-desktop", idle: whyApp}, {name: "devin-mcp", idle: whyApp},
	}
}

func contextualShape() *shape {
	query := listOf(object(key{name: "key", shape: text()}, key{name: "value", shape: scalar()}).needing("", "key")).
		or(open(scalar()))
	href := text().or(object(key{name: "base", shape: text()}, key{name: "query", shape: query}).needing("", "base"))
	own := object(key{name: "title", shape: text()}, key{name: "description", shape: text()},
		key{name: "icon", shape: iconShape()},
		key{name: "href", shape: href}).needing("", "title", "href")
	named := word(options()...)
	named.spent = spentOptions()
	return object(
		key{name: "options", shape: listOf(named.or(own))},
		key{name: "display", shape: word("header", "toc")},
	)
}

func apiShape() *shape {
	auth := func() *shape {
		return object(key{name: "method", shape: word("bearer", "basic", "key", "cobo", "none")},
			key{name: "name", shape: text()})
	}
	return object(
		key{name: "openapi", shape: sourceShape()},
		key{name: "asyncapi", shape: sourceShape()},
		key{name: "playground", shape: object(
			key{name: "display", shape: word("interactive", "simple", "none", "auth")},
			key{name: "proxy", shape: boolean()}, key{name: "credentials", shape: boolean()})},
		key{name: "params", shape: object(key{name: "expanded", shape: word("all", "closed")},
			key{name: "post", shape: texts()})},
		key{name: "url", shape: word("full")},
		key{name: "examples", shape: object(
			key{name: "languages", shape: texts()}, key{name: "defaults", shape: word("required", "all")},
			key{name: "autogenerate", shape: boolean()},
			key{name: "prefill", idle: "playground forms are prefilled from the API description"})},
		key{name: "mdx", shape: object(key{name: "server", shape: texts()}, key{name: "auth", shape: auth()})},
		key{name: "baseUrl", shape: texts()},
		key{name: "auth", shape: auth()},
	)
}

// sourceShape returns the shape of a path, a list of paths, or {source, directory}.
func sourceShape() *shape {
	return texts().or(object(key{name: "source", shape: texts()}, key{name: "directory", shape: text()}).
		needing("", "source"))
}
