package audience

// program is a word by which a User-Agent is recognized, and the program's class.
type program struct {
	word  string // lower case
	class Class  // "" = only checks availability or previews a link, so it is not a reader
}

// programs lists words by which programs identify themselves, as documented by their operators. The first match counts,
// so a longer word precedes the words that it contains.
func programs() []program {
	return []program{
		// Programs that fetch a page at a person's request.
		{"chatgpt-user", Agent}, {"oai-searchbot", Agent}, {"claude-user", Agent}, {"claude-searchbot", Agent},
		{"claude-code", Agent}, {"perplexity-user", Agent},
		{"perplexitybot", Agent}, {"mistralai-user", Agent}, {"duckassistbot", Agent}, {"meta-externalfetcher", Agent},
		{"google-notebooklm", Agent},
		{"gemini-deep-research", Agent}, {"youbot", Agent}, {"phindbot", Agent}, {"cursor/", Agent},
		{"windsurf", Agent}, {"cline", Agent}, {"devin", Agent},
		{"amzn-user", Agent}, {"bedrockbot", Agent}, {"kagi-fetcher", Agent}, {"modelcontextprotocol", Agent},
		{"mcp-client", Agent},

		// Programs that collect text for training models.
		{"gptbot", Trainer}, {"claudebot", Trainer}, {"anthropic-ai", Trainer}, {"claude-web", Trainer},
		{"google-extended", Trainer}, {"applebot-extended", Trainer},
		{"googleother", Trainer}, {"google-cloudvertexbot", Trainer}, {"ccbot", Trainer}, {"bytespider", Trainer},
		{"meta-externalagent", Trainer},
		{"facebookbot", Trainer}, {"cohere-training", Trainer}, {"cohere-ai", Trainer}, {"ai2bot", Trainer},
		{"diffbot", Trainer}, {"omgili", Trainer},
		{"pangubot", Trainer}, {"timpibot", Trainer}, {"img2dataset", Trainer}, {"deepseekbot", Trainer},

		// Search engines.
		{"googlebot", Indexer}, {"storebot-google", Indexer}, {"google-inspectiontool", Indexer}, {"bingbot", Indexer},
		{"bingpreview", Indexer}, {"adidxbot", Indexer},
		{"duckduckbot", Indexer}, {"applebot", Indexer}, {"amazonbot", Indexer}, {"yandex", Indexer},
		{"baiduspider", Indexer}, {"slurp", Indexer}, {"seznambot", Indexer},
		{"petalbot", Indexer}, {"sogou", Indexer}, {"naverbot", Indexer}, {"yeti/", Indexer}, {"qwantbot", Indexer},
		{"qwantify", Indexer}, {"mojeekbot", Indexer},
		{"bravebot", Indexer}, {"algolia crawler", Indexer}, {"ahrefsbot", Indexer}, {"semrushbot", Indexer},
		{"dotbot", Indexer}, {"mj12bot", Indexer},
		{"ia_archiver", Indexer}, {"archive.org_bot", Indexer},

		// Programs that do not read.
		{"uptimerobot", ""}, {"pingdom", ""}, {"statuscake", ""}, {"kube-probe", ""}, {"prometheus", ""},
		{"blackbox", ""}, {"googlehc", ""}, {"healthcheck", ""},
		{"health-check", ""}, {"datadog", ""}, {"site24x7", ""}, {"slackbot", ""}, {"slack-imgproxy", ""},
		{"twitterbot", ""}, {"facebookexternalhit", ""},
		{"discordbot", ""}, {"whatsapp", ""}, {"linkedinbot", ""}, {"telegrambot", ""}, {"skypeuripreview", ""},
		{"embedly", ""}, {"pinterestbot", ""},

		// Programs and libraries that do not identify themselves.
		{"curl/", OtherBot}, {"wget/", OtherBot}, {"python-requests", OtherBot}, {"python-httpx", OtherBot},
		{"python-urllib", OtherBot}, {"aiohttp", OtherBot},
		{"axios", OtherBot}, {"node-fetch", OtherBot}, {"undici", OtherBot}, {"node/", OtherBot}, {"node", OtherBot},
		{"got (", OtherBot}, {"go-http-client", OtherBot}, {"okhttp", OtherBot},
		{"java/", OtherBot}, {"apache-httpclient", OtherBot}, {"libwww-perl", OtherBot}, {"ruby", OtherBot},
		{"guzzlehttp", OtherBot}, {"reqwest", OtherBot},
		{"deno/", OtherBot}, {"bun/", OtherBot}, {"httpie", OtherBot}, {"scrapy", OtherBot},
		{"postmanruntime", OtherBot}, {"insomnia", OtherBot},
		{"crawler", OtherBot}, {"spider", OtherBot}, {"bot/", OtherBot}, {"bot;", OtherBot}, {"bot)", OtherBot},
	}
}
