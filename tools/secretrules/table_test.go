package secretrules

// none means that the public set has no rule for a format.
const none = ""

// ours maps the prefix of each of the guard's formats to the public rule for it.
var ours = map[string]string{
	// Clouds.
	"AKIA": "aws-access-token", "ASIA": "aws-access-token", "ABIA": "aws-access-token", "ACCA": "aws-access-token",
	"A3T": "aws-access-token", "ABSK": "aws-amazon-bedrock-api-key-long-lived",
	"bedrock-api-key-": none, // the public rule has only the fixed beginning of a key
	"AIza":             "gcp-api-key", "GOCSPX-": none, "ya29.": none, "AccountKey=": none, "SharedAccessKey=": none,
	"LTAI": "alibaba-access-key-id", "AKID": none,
	"dop_v1_": "digitalocean-pat", "doo_v1_": "digitalocean-access-token", "dor_v1_": "digitalocean-refresh-token",
	"HRKU-": "heroku-api-key-v2", "fo1_": "flyio-access-token", "fm1a_": "flyio-access-token",
	"fm1r_": "flyio-access-token", "fm2_": "flyio-access-token", "FlyV1 fm": none, "nfp_": none, "rnd_": none,
	"hvs.": "vault-service-token", "hvb.": "vault-batch-token", "pul-": "pulumi-api-token", "tskey-": none,
	"sbp_": none, "sb_secret_": none, "pscale_tkn_": "planetscale-api-token", "pscale_pw_": "planetscale-password",
	"pscale_oauth_": "planetscale-oauth-token", "atlasv1.": "hashicorp-tf-api-token",
	"v1.0-": "cloudflare-origin-ca-key", "4b1d": "clickhouse-cloud-api-secret-key",
	"sha256~": "openshift-user-token", "tk-us-": "scalingo-api-token", "ico-": "infracost-api-token",
	"pnu_": "prefect-api-token", "sm_aat_": "settlemint-application-access-token",
	"sm_pat_": "settlemint-personal-access-token", "sm_sat_": "settlemint-service-access-token",
	// Code hosts, registries, builds.
	"ghp_": "github-pat", "gho_": "github-oauth", "ghu_": "github-app-token", "ghs_": "github-app-token",
	"ghr_": "github-refresh-token", "github_pat_": "github-fine-grained-pat", "glpat-": "gitlab-pat",
	"gldt-": "gitlab-deploy-token", "glrt-": "gitlab-runner-authentication-token", "glcbt-": "gitlab-cicd-job-token",
	"glptt-": "gitlab-ptt", "gloas-": "gitlab-oauth-app-secret", "glsoat-": "gitlab-scim-token",
	"glffct-": "gitlab-feature-flag-client-token", "glft-": "gitlab-feed-token",
	"glimt-": "gitlab-incoming-mail-token", "glagent-": "gitlab-kubernetes-agent-token", "GR1348941": "gitlab-rrt",
	"_gitlab_session=": "gitlab-session-cookie", "AKCp": "artifactory-api-key",
	"cmVmd": "artifactory-reference-token", "CLOJARS_": "clojars-api-token", "pat.": "harness-api-key",
	"sat.": "harness-api-key", "API-": "octopus-deploy-api-key", "sgp_": "sourcegraph-access-token", "ATBB": none,
	"ATATT3": "atlassian-api-token", "ATCTT3": none, "npm_": "npm-access-token",
	"pypi-AgEIcHlwaS5vcmc": "pypi-upload-token", "rubygems_": "rubygems-api-token", "dckr_pat_": none,
	"CCIPAT_": none, "bkua_": none,
	// Models.
	"sk-ant-": "anthropic-api-key", "sk-proj-": "openai-api-key", "sk-svcacct-": "openai-api-key",
	"sk-admin-": "openai-api-key", "sk-or-v1-": none, "sk-lf-": none, "sk-": "openai-api-key",
	"hf_": "huggingface-access-token", "api_org_": "huggingface-organization-api-token", "r8_": none, "gsk_": none,
	"xai-": none, "pplx-": "perplexity-api-key", "fw_": none, "tgp_v1_": none, "csk-": none, "lsv2_pt_": none,
	"lsv2_sk_": none, "pcsk_": none,
	// Others.
	"sk_live_": "stripe-access-token", "rk_live_": "stripe-access-token", "whsec_": none, "xoxb-": "slack-bot-token",
	"xoxp-": "slack-user-token", "xoxa-": "slack-legacy-workspace-token", "xoxr-": "slack-legacy-workspace-token",
	"xoxe.": "slack-config-access-token", "xoxe-": "slack-config-refresh-token", "xoxo-": "slack-legacy-token",
	"xoxs-": "slack-legacy-token", "hooks.slack.com/services/": "slack-webhook-url",
	"hooks.slack.com/workflows/": "slack-webhook-url", "hooks.slack.com/triggers/": "slack-webhook-url",
	"IncomingWebhook/": "microsoft-teams-webhook", "xapp-": "slack-app-token", "SG.": "sendgrid-api-token",
	"re_": none, "key-": none, "shpat_": "shopify-access-token", "shpss_": "shopify-shared-secret",
	"shpca_": "shopify-custom-access-token", "shppa_": "shopify-private-app-access-token",
	"dapi": "databricks-api-token", "lin_api_": "linear-api-key", "ntn_": "notion-api-token", "secret_": none,
	"figd_": none, "PMAK-": "postman-api-token", "NRAK-": none, "glsa_": "grafana-service-account-token",
	"glc_": "grafana-cloud-api-token", "eyJrIjoi": "grafana-api-key", "sntrys_eyJ": "sentry-org-token",
	"sntryu_": "sentry-user-token", "dt0c01.": "dynatrace-api-token", "phx_": none, "dp.st.": none,
	"dp.pt.": "doppler-api-token", "AGE-SECRET-KEY-1": "age-secret-key", "sq0atp-": "square-access-token",
	"EAAA": "square-access-token", "sq0csp-": none, "pat-na1-": none, "pat-eu1-": none, "A3-": "1password-secret-key",
	"ops_eyJ": "1password-service-account-token", "p8e-": "adobe-client-secret",
	"pat": "airtable-personnal-access-token", "EAAM": "facebook-page-access-token",
	"EAAC": "facebook-page-access-token", "duffel_live_": "duffel-api-token", "EZAK": "easypost-api-token",
	"fio-u-": "frameio-api-token", "shippo_live_": "shippo-api-token", "xkeysib-": "sendinblue-api-token",
	"rdme_": "readme-api-token", "SK": "twilio-api-key", "s-s4t2ud-": "intra42-client-secret",
	"s-s4t2af-": "intra42-client-secret", "unkey_": none, "trigger_prod_": none, "tr_prod_": none,
	"mint_dsc_": none, "mint_": none, "lectern_": none,
}

// Reasons that apply to several rules.
const (
	testKey   = "keys of a test account are meant to be shown in documentation"
	noPrefix  = "nothing at the beginning tells it from other words; it is found behind a name"
	structure = "the guard reads the structure of what it finds, and letters drawn by lot have none"
)

// left lists the public rules that the guard lacks, with the reasons.
var left = map[string]string{
	"authress-service-client-access-key":     "sc_ and ext_ are common in code; it is found behind a name",
	"aws-amazon-bedrock-api-key-short-lived": "the rule has the beginning of a key; the guard wants the rest, too",
	"azure-ad-client-secret":                 noPrefix,
	"curl-auth-user":                         "examples have user:password; addresses with a login are found",
	"easypost-test-api-token":                testKey,
	"facebook-access-token":                  noPrefix,
	"flutterwave-encryption-key":             testKey,
	"flutterwave-public-key":                 testKey,
	"flutterwave-secret-key":                 testKey,
	"freemius-secret-key":                    "found behind its name where the value looks drawn by lot",
	"jwt":                                    structure,
	"jwt-base64":                             structure,
	"kubernetes-secret-yaml":                 "documentation shows such manifests; values behind names are found",
	"maxmind-license-key":                    noPrefix,
	"private-key":                            structure,
	"nuget-config-password":                  "any eight characters; values behind names are found",
	"sidekiq-sensitive-url":                  "a login is found if its password is longer than eight digits",
}

// partly lists the rules for which the guard finds only some keys, with the reasons.
var partly = map[string]string{
	"atlassian-api-token":      "also matches any 24 letters behind a name",
	"curl-auth-header":         "the header is found by its name where its value looks drawn by lot",
	"duffel-api-token":         testKey,
	"shippo-api-token":         testKey,
	"sourcegraph-access-token": "also matches the id of every commit",
	"stripe-access-token":      testKey + ", and live keys have 24 characters at least",
	"vault-service-token":      "tokens before version 1.10 begin with s. as sentences end",
}

// partial lists the formats for which only some of the rule's keys are found.
var partial = map[string]string{
	"sk_live_": partly["stripe-access-token"], "rk_live_": partly["stripe-access-token"],
}
