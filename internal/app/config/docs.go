package config

import (
	"bytes"
	"fmt"
	"strings"
)

const docsHead = `---
title: Configuration
description: Every setting of lectern serve and lectern worker, with its flag, its variable and its key in the settings file.
keywords: ["environment variables", "settings", "options", "config file", "port", "database URL"]
boost: 2
# Generated from internal/app/config: change the help texts there, then run its tests with -update.
---

A setting can be given in three ways. A flag takes precedence over a variable, a variable over the settings file, and the file over the default.

` + "```yaml lectern.yaml" + `
data: /var/lib/lectern
listen: 0.0.0.0:8080
deployment:
  type: client-hosted
trusted-proxies: [10.0.0.0/8]
` + "```" + `

` + "```bash" + `
lectern serve --config lectern.yaml
` + "```" + `

Groups may also be written with dots: ` + "`deployment.type: client-hosted`" + `. An unknown setting or an invalid value
prevents the start with a message that names it. An empty variable counts as not set.

Secrets have no flag and no place in the settings file. Set them with their variable, or with the path of a file.

`

const docsFoot = `
## Repository credentials

A project refers to its credential by name and never contains its value. The value of the credential ` + "`docs-bot`" +
	` is the variable ` + "`LECTERN_CREDENTIAL_DOCS_BOT`" + `,
or else the file ` + "`docs-bot`" + ` in the folder ` + "`credentials.dir`" + `. It is one of:

- a URL with a user and token, such as ` + "`https://user:token@git.example.com/team`" + `, used only for repositories at or below that URL;
- an SSH private key (in a file only), used for repositories reached by SSH.

## Variables of OpenTelemetry

Where the settings ` + "`otel.…`" + ` leave something open, ` +
	"`lectern serve` and `lectern worker`" + ` use OpenTelemetry's
standard variables. Each of those that begin with ` + "`OTEL_EXPORTER_OTLP_`" + ` also has a form for one signal, such as
` + "`OTEL_EXPORTER_OTLP_LOGS_ENDPOINT`" + `, which takes precedence.

| Variable | Meaning |
|---|---|
| ` + "`OTEL_EXPORTER_OTLP_ENDPOINT`" + ` | Address of the collector, if ` +
	"`otel.endpoint`" + ` is not set. The form for one signal is used as it is and chooses the signal. |
| ` + "`OTEL_EXPORTER_OTLP_PROTOCOL`" + ` | ` + "`http/protobuf` or `grpc`, if `otel.protocol` is `auto`" + `. |
| ` + "`OTEL_EXPORTER_OTLP_HEADERS`" + ` | Headers of each request, such as ` +
	"`Authorization=Bearer%20TOKEN`" + `. Their values are masked in logs. |
| ` + "`OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER`, `OTEL_LOGS_EXPORTER`" + ` | ` + "`otlp`" +
	` sends the signal, ` + "`none`" + ` does not, whatever ` + "`otel.signals`" + ` says. |
| ` + "`OTEL_SDK_DISABLED`" + ` | ` + "`true`" + ` sends nothing. |
| ` + "`OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`" + ` | Attributes of the sender. Without them: ` +
	"`service.name`" + ` ` + "`lectern`" + `, the version, and an id of the process. |
| ` + "`OTEL_EXPORTER_OTLP_CERTIFICATE`, `…_CLIENT_CERTIFICATE`, `…_CLIENT_KEY`, `…_COMPRESSION`, `…_TIMEOUT`" + ` | As OpenTelemetry defines them. |
| ` + "`OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`, `OTEL_BLRP_…`, `OTEL_METRIC_EXPORT_…`" + ` | Sampling, batches and intervals, as OpenTelemetry defines them. |

## Variables of commands that build without a server

` + "`lectern export`, `check` and `dev` also read `LECTERN_SCRIPTS`, `LECTERN_CACHE_FOLDER` and `LECTERN_CACHE_MAX_BYTES`" + ` as above; without a folder, their [build
cache](/guides/build-cache) is in the user's cache directory.

## Variables of the client commands

| Variable | Meaning |
|---|---|
| ` + "`LECTERN_BUNDLE_SOURCE`" + ` | Where [` +
	"`lectern serve-bundle`" + `](/reference/cli#lectern-serve-bundle) fetches its bundle from. |
| ` + "`LECTERN_BUNDLE_PROXY`" + ` | Forward proxy for fetching the bundle. |
| ` + "`LECTERN_URL`" + ` | Address of the server for commands such as ` + "`lectern exports`" + `. |
| ` + "`LECTERN_KEY`" + ` | Admin API key for these commands. |
`

// Markdown returns the docs page that describes every setting.
func Markdown() []byte {
	var b bytes.Buffer
	b.WriteString(docsHead)
	group := ""
	for _, s := range Reference() {
		if s.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = s.Group
			fmt.Fprintf(&b, "## %s\n\n| Setting | Default | Meaning |\n|---|---|---|\n", group)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", names(s), defaultText(s), meaning(s))
	}
	b.WriteString(docsFoot)
	return b.Bytes()
}

func names(s Setting) string {
	var list []string
	for _, n := range []string{s.Key, s.Flag, s.Env} {
		if n != "" {
			list = append(list, "`"+n+"`")
		}
	}
	return strings.Join(list, "<br/>")
}

func defaultText(s Setting) string {
	if s.Default == "" {
		return "–"
	}
	return "`" + s.Default + "`"
}

func meaning(s Setting) string {
	text := strings.ReplaceAll(s.Help, "|", `\|`)
	if s.Values != nil {
		text += " One of `" + strings.Join(s.Values, "`, `") + "`."
	}
	switch {
	case s.Type == "duration":
		text += " A duration, such as `90s` or `2h`."
	case s.Type == "list" && s.Key != "":
		text += " A list: commas in flag and variable, a YAML list in the file."
	}
	return text
}
