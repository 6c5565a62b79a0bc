package guard

// alphabet is a set of bytes that a secret is made of.
type alphabet int

const (
	alnum     alphabet = iota // A–Z a–z 0–9
	word                      // and _
	dashed                    // and _ -
	dotted                    // and _ - .
	radix64                   // alnum + / =, and the _ - of its URL form
	hexits                    // 0–9 a–f
	anyHex                    // and A–F
	upper                     // A–Z 0–9
	upperDash                 // and -
	letter                    // A–Z a–z
	loose                     // radix64 and . ~
	alphabets
)

// in reports whether b belongs to the alphabet.
func (a alphabet) in(b byte) bool {
	digit, small, big := b >= '0' && b <= '9', b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z'
	switch a {
	case hexits:
		return digit || b >= 'a' && b <= 'f'
	case anyHex:
		return digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	case upper:
		return digit || big
	case upperDash:
		return digit || big || b == '-'
	case letter:
		return small || big
	case word:
		return digit || small || big || b == '_'
	case dashed:
		return digit || small || big || b == '_' || b == '-'
	case dotted:
		return digit || small || big || b == '_' || b == '-' || b == '.'
	case radix64, loose:
		if a == loose && (b == '.' || b == '~') {
			return true
		}
		return digit || small || big || b == '_' || b == '-' || b == '+' || b == '/' || b == '='
	}
	return digit || small || big
}

// shape is how an issuer writes its keys: a prefix, then min to max bytes of an alphabet, and then none more of it. max 0 = any number.
type shape struct {
	prefix   string
	of       alphabet
	min, max int
	what     string
}

// strict reports whether a short prefix and an exact number of bytes of the alphabet are enough: names in code have others.
func (a alphabet) strict() bool {
	return a == hexits || a == anyHex || a == upper || a == upperDash || a == letter
}

// shapes lists the keys that can be recognised by their format. Prefixes are long enough, or counts exact enough, that
// prose never fits. tools/secretrules compares the list with a public set of rules.
var shapes = []shape{
	// Clouds.
	{"AKIA", upper, 16, 16, "an AWS access key"}, {"ASIA", upper, 16, 16, "an AWS access key"}, {"ABIA", upper, 16, 16, "an AWS access key"},
	{"ACCA", upper, 16, 16, "an AWS access key"}, {"A3T", upper, 17, 17, "an AWS access key"},
	{"ABSK", radix64, 80, 280, "an AWS Bedrock key"}, {"bedrock-api-key-", radix64, 40, 0, "an AWS Bedrock key"},
	{"AIza", dashed, 35, 35, "a Google API key"}, {"GOCSPX-", dashed, 28, 28, "a Google client secret"}, {"ya29.", dotted, 40, 0, "a Google access token"},
	{"AccountKey=", radix64, 86, 88, "an Azure storage key"}, {"SharedAccessKey=", radix64, 43, 44, "an Azure access key"},
	{"LTAI", alnum, 16, 26, "an Alibaba Cloud key"}, {"AKID", alnum, 32, 48, "a Tencent Cloud key"},
	{"dop_v1_", hexits, 64, 64, "a DigitalOcean token"}, {"doo_v1_", hexits, 64, 64, "a DigitalOcean token"}, {"dor_v1_", hexits, 64, 64,
		"a DigitalOcean token"},
	{"HRKU-", dashed, 36, 70, "a Heroku key"}, {"fo1_", dashed, 40, 0, "a Fly.io token"}, {"FlyV1 fm", radix64, 60, 0, "a Fly.io token"},
	{"nfp_", alnum, 36, 36, "a Netlify token"}, {"rnd_", alnum, 32, 32, "a Render key"}, {"hvs.", dashed, 24, 0, "a Vault token"}, {"hvb.", dashed, 24, 0,
		"a Vault token"},
	{"pul-", hexits, 40, 40, "a Pulumi token"}, {"tskey-", dashed, 20, 0, "a Tailscale key"}, {"sbp_", hexits, 40, 40, "a Supabase token"},
	{"sb_secret_", dashed, 30, 45, "a Supabase key"}, {"pscale_tkn_", loose, 32, 64, "a PlanetScale token"},
	{"pscale_pw_", loose, 32, 64, "a PlanetScale password"}, {"pscale_oauth_", loose, 32, 64, "a PlanetScale token"},
	{"fm1a_", radix64, 100, 0, "a Fly.io token"}, {"fm1r_", radix64, 100, 0, "a Fly.io token"}, {"fm2_", radix64, 100, 0, "a Fly.io token"},
	{"atlasv1.", radix64, 60, 70, "a Terraform token"}, {"v1.0-", dashed, 171, 171, "a Cloudflare origin key"},
	{"4b1d", alnum, 38, 38, "a ClickHouse key"}, {"sha256~", dashed, 43, 43, "an OpenShift token"}, {"tk-us-", dashed, 48, 48, "a Scalingo token"},
	{"ico-", alnum, 32, 32, "an Infracost key"}, {"pnu_", alnum, 36, 36, "a Prefect key"},
	{"sm_aat_", alnum, 16, 16, "a SettleMint token"}, {"sm_pat_", alnum, 16, 16, "a SettleMint token"}, {"sm_sat_", alnum, 16, 16, "a SettleMint token"},
	// Code hosts, registries, builds.
	{"ghp_", alnum, 36, 36, "a GitHub token"}, {"gho_", alnum, 36, 36, "a GitHub token"}, {"ghu_", alnum, 36, 36, "a GitHub token"},
	{"ghs_", dotted, 36, 0, "a GitHub token"}, {"ghr_", alnum, 36, 76, "a GitHub token"}, {"github_pat_", word, 82, 82, "a GitHub token"},
	{"glpat-", dotted, 20, 0, "a GitLab token"}, {"gldt-", dashed, 20, 0, "a GitLab token"}, {"glrt-", dotted, 20, 0, "a GitLab token"},
	{"glcbt-", dotted, 20, 0, "a GitLab token"}, {"glptt-", hexits, 40, 40, "a GitLab token"}, {"gloas-", dashed, 64, 64, "a GitLab secret"}, {"glsoat-",
		dashed, 20, 0, "a GitLab token"},
	{"glffct-", dashed, 20, 0, "a GitLab token"}, {"glft-", dashed, 20, 0, "a GitLab token"}, {"glimt-", dashed, 25, 0, "a GitLab token"},
	{"glagent-", dashed, 50, 0, "a GitLab token"}, {"GR1348941", dashed, 20, 0, "a GitLab token"},
	{"_gitlab_session=", alnum, 32, 32, "a GitLab session"},
	{"AKCp", alnum, 69, 69, "an Artifactory key"}, {"cmVmd", alnum, 59, 59, "an Artifactory token"}, {"CLOJARS_", alnum, 60, 60, "a Clojars token"},
	{"pat.", dotted, 68, 68, "a Harness token"}, {"sat.", dotted, 68, 68, "a Harness token"}, {"API-", upper, 26, 26, "an Octopus Deploy key"},
	{"sgp_", word, 40, 57, "a Sourcegraph token"},
	{"ATBB", alnum, 32, 32, "a Bitbucket password"}, {"ATATT3", radix64, 100, 0, "an Atlassian token"}, {"ATCTT3", radix64, 100, 0, "a Bitbucket token"},
	{"npm_", alnum, 36, 36, "an npm token"}, {"pypi-AgEIcHlwaS5vcmc", dashed, 50, 0, "a PyPI token"}, {"rubygems_", hexits, 48, 48, "a RubyGems key"},
	{"dckr_pat_", dashed, 27, 0, "a Docker token"}, {"CCIPAT_", word, 40, 0, "a CircleCI token"}, {"bkua_", hexits, 40, 40, "a Buildkite token"},
	// Models.
	{"sk-ant-", dashed, 80, 0, "an Anthropic key"}, {"sk-proj-", dashed, 40, 0, "an OpenAI key"}, {"sk-svcacct-", dashed, 40, 0, "an OpenAI key"},
	{"sk-admin-", dashed, 40, 0, "an OpenAI key"}, {"sk-or-v1-", hexits, 64, 64, "an OpenRouter key"}, {"sk-lf-", dashed, 36, 36, "a Langfuse key"},
	{"sk-", alnum, 32, 64, "a model vendor's key"}, {"hf_", alnum, 34, 37, "a Hugging Face token"}, {"hf_", letter, 34, 34, "a Hugging Face token"}, {"api_org_", alnum, 34, 37, "a Hugging Face token"}, {"r8_", alnum, 37, 37, "a Replicate token"}, {"gsk_",
		alnum, 52, 52, "a Groq key"},
	{"xai-", alnum, 80, 80, "an xAI key"}, {"pplx-", alnum, 40, 56, "a Perplexity key"}, {"fw_", alnum, 22, 24, "a Fireworks key"}, {"tgp_v1_", dashed, 43,
		43, "a Together key"},
	{"csk-", alnum, 48, 48, "a Cerebras key"}, {"lsv2_pt_", word, 43, 43, "a LangSmith key"}, {"lsv2_sk_", word, 43, 43, "a LangSmith key"}, {"pcsk_", word,
		60, 80, "a Pinecone key"},
	// Others that documents like to show.
	{"sk_live_", word, 24, 0, "a live payment key"}, {"rk_live_", word, 24, 0, "a live payment key"}, {"whsec_", radix64, 32, 64, "a webhook secret"},
	{"xoxb-", dashed, 20, 0, "a Slack token"}, {"xoxp-", dashed, 40, 0, "a Slack token"}, {"xoxa-", dashed, 16, 0, "a Slack token"}, {"xoxe.", dotted, 40, 0,
		"a Slack token"},
	{"xoxr-", dashed, 16, 0, "a Slack token"}, {"xoxe-", dashed, 40, 0, "a Slack token"}, {"xoxo-", dashed, 20, 0, "a Slack token"},
	{"xoxs-", dashed, 20, 0, "a Slack token"},
	{"hooks.slack.com/services/", radix64, 43, 56, "a Slack webhook"}, {"hooks.slack.com/workflows/", radix64, 43, 56, "a Slack webhook"},
	{"hooks.slack.com/triggers/", radix64, 43, 56, "a Slack webhook"}, {"IncomingWebhook/", radix64, 69, 69, "a Teams webhook"},
	{"xapp-", dashed, 20, 0, "a Slack token"}, {"SG.", loose, 66, 66, "a SendGrid key"}, {"re_", word, 32, 36, "a Resend key"}, {"key-", hexits, 32, 32,
		"a Mailgun key"},
	{"shpat_", anyHex, 32, 32, "a Shopify token"}, {"shpss_", anyHex, 32, 32, "a Shopify secret"}, {"shpca_", anyHex, 32, 32, "a Shopify token"},
	{"shppa_", anyHex, 32, 32, "a Shopify token"}, {"dapi", hexits, 32, 32, "a Databricks token"},
	{"lin_api_", alnum, 40, 40, "a Linear key"}, {"ntn_", alnum, 46, 46, "a Notion token"}, {"secret_", alnum, 43, 43, "a Notion token"}, {"figd_", dashed,
		40, 0, "a Figma token"},
	{"PMAK-", dashed, 59, 59, "a Postman key"}, {"NRAK-", upper, 27, 27, "a New Relic key"}, {"glsa_", word, 41, 41, "a Grafana token"}, {"glc_", radix64,
		32, 400, "a Grafana token"},
	{"sntrys_eyJ", radix64, 60, 0, "a Sentry token"}, {"sntryu_", hexits, 64, 64, "a Sentry token"}, {"dt0c01.", dotted, 80, 100, "a Dynatrace token"},
	{"phx_", alnum, 40, 60, "a PostHog key"},
	{"dp.st.", dotted, 40, 60, "a Doppler token"}, {"dp.pt.", alnum, 40, 44, "a Doppler token"}, {"AGE-SECRET-KEY-1", upper, 58, 58, "an age key"},
	{"sq0atp-", dashed, 22, 60, "a Square token"}, {"EAAA", dashed, 22, 60, "a Square token"}, {"sq0csp-", dashed, 43, 43, "a Square secret"}, {"pat-na1-", dashed, 36, 36, "a HubSpot token"},
	{"pat-eu1-", dashed, 36, 36, "a HubSpot token"},
	{"A3-", upperDash, 36, 37, "a 1Password key"}, {"ops_eyJ", radix64, 250, 0, "a 1Password token"}, {"p8e-", alnum, 32, 32, "an Adobe secret"},
	{"pat", dotted, 79, 79, "an Airtable token"}, {"EAAM", alnum, 100, 0, "a Facebook token"}, {"EAAC", alnum, 100, 0, "a Facebook token"},
	{"duffel_live_", radix64, 43, 43, "a Duffel token"}, {"EZAK", alnum, 54, 54, "an EasyPost key"}, {"fio-u-", radix64, 64, 64, "a Frame.io token"},
	{"shippo_live_", anyHex, 40, 40, "a Shippo token"}, {"xkeysib-", dashed, 81, 81, "a Brevo key"}, {"rdme_", alnum, 70, 70, "a ReadMe key"},
	{"SK", anyHex, 32, 32, "a Twilio key"}, {"s-s4t2ud-", anyHex, 64, 64, "a 42 API secret"}, {"s-s4t2af-", anyHex, 64, 64, "a 42 API secret"},
	{"eyJrIjoi", radix64, 70, 400, "a Grafana key"},
	{"unkey_", alnum, 22, 40, "an Unkey key"}, {"trigger_prod_", alnum, 20, 32, "a Trigger.dev key"}, {"tr_prod_", alnum, 20, 32, "a Trigger.dev key"},
	{"mint_dsc_", alnum, 20, 0, "a Mintlify key"}, {"mint_", alnum, 22, 64, "a Mintlify key"},
	{ownPrefix, alnum, ownLen, ownLen, "a Lectern key"},
}

// Format is one of the formats by which keys are recognised.
type Format struct {
	Prefix, Alphabet string // of a key, and of the bytes after it
	Min, Max         int    // number of bytes after the prefix; Max 0 = any number
	What             string // its kind, with an article
}

// Formats lists all formats. Own keys have a checksum besides.
func Formats() (out []Format) {
	for _, s := range shapes {
		f := Format{Prefix: s.prefix, Min: s.min, Max: s.max, What: s.what}
		for b := byte('!'); b <= '~'; b++ {
			if s.of.in(b) {
				f.Alphabet += string(rune(b))
			}
		}
		out = append(out, f)
	}
	return out
}

// byFirst sorts the shapes by their first byte.
var byFirst = func() (table [256][]shape) {
	for _, s := range shapes {
		table[s.prefix[0]] = append(table[s.prefix[0]], s)
	}
	return table
}()
