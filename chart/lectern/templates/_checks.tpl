{{/* Checks that the schema cannot express: values that depend on each other. Every message names the value to change. */}}
{{- define "lectern.check" -}}
{{- $se := .Values.staticExport -}}
{{- $p := .Values.platform -}}
{{- $job := .Values.exportJob -}}
{{- if not (or $se.enabled $p.enabled $job.enabled) -}}
{{- fail "Nothing is enabled. Set staticExport.enabled to serve a bundle, platform.enabled for the whole service, or exportJob.enabled for exports on a schedule." -}}
{{- end -}}
{{- range $part := list "staticExport" "platform" "exportJob" -}}
{{- range (index $.Values $part).extraEnv -}}
{{- if and .value (regexMatch "^LECTERN_(DATABASE|BUNDLE_SOURCE|BUNDLE_PROXY|KEY|S3_SESSION_TOKEN|CREDENTIAL_.*|.*_PASSWORD|.*_KEY|.*_KEY_PREVIOUS|.*_SECRET)$" .name) (ne .name "LECTERN_EXPORT_SIGNING_KEY") -}}
{{- fail (printf "%s.extraEnv: %s is a secret; reference a Secret with valueFrom.secretKeyRef." $part .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $se.enabled -}}
{{- $sources := 0 -}}
{{- range list $se.bundleUrl $se.bundleUrlSecret.name $se.fromExportJob -}}
{{- if . -}}{{- $sources = add1 $sources -}}{{- end -}}
{{- end -}}
{{- if eq $sources 0 -}}
{{- fail "staticExport.enabled needs a source: set staticExport.bundleUrl to the bundleUrl that generate bundle returned, or staticExport.bundleUrlSecret.name to a Secret that holds it, or staticExport.fromExportJob." -}}
{{- end -}}
{{- if gt $sources 1 -}}
{{- fail "staticExport has more than one source: keep one of staticExport.bundleUrl, staticExport.bundleUrlSecret.name and staticExport.fromExportJob." -}}
{{- end -}}
{{- if and $se.fromExportJob (not $job.enabled) -}}
{{- fail "staticExport.fromExportJob serves what exportJob writes: set exportJob.enabled." -}}
{{- end -}}
{{- if and $se.fromExportJob $se.version (ne $se.version $job.label) -}}
{{- fail "staticExport.version pins another version than exportJob.label gives its bundles, so every bundle would be rejected." -}}
{{- end -}}
{{- if and (hasPrefix "s3://" $se.bundleUrl) (not $se.s3Secret.name) -}}
{{- fail "staticExport.bundleUrl is an s3:// address: set staticExport.s3Secret.name to a Secret with the keys of the S3 server." -}}
{{- end -}}
{{- if and $se.ingress.enabled (not $se.ingress.hosts) -}}
{{- fail "staticExport.ingress.enabled needs staticExport.ingress.hosts." -}}
{{- end -}}
{{- if and $se.httpRoute.enabled (not $se.httpRoute.parentRefs) -}}
{{- fail "staticExport.httpRoute.enabled needs staticExport.httpRoute.parentRefs, the gateways that the route attaches to." -}}
{{- end -}}
{{- if and $se.autoscaling.enabled (gt (int $se.autoscaling.minReplicas) (int $se.autoscaling.maxReplicas)) -}}
{{- fail "staticExport.autoscaling.minReplicas is more than maxReplicas." -}}
{{- end -}}
{{- end -}}
{{- if $p.enabled -}}
{{- if not $p.publicUrl -}}
{{- fail "platform.enabled needs platform.publicUrl, the public address of the server." -}}
{{- end -}}
{{- if not $p.databaseSecret.name -}}
{{- fail "platform.enabled needs platform.databaseSecret.name: a Secret with a PostgreSQL URL." -}}
{{- end -}}
{{- if not $p.bucketUrl -}}
{{- fail "platform.enabled needs platform.bucketUrl, such as s3://BUCKET/PREFIX?region=R." -}}
{{- end -}}
{{- if not $p.bucketSecret.name -}}
{{- fail "platform.enabled needs platform.bucketSecret.name: a Secret with the keys of the S3 server." -}}
{{- end -}}
{{- if not $p.secretKeySecret.name -}}
{{- fail "platform.enabled needs platform.secretKeySecret.name: a Secret with a secret key of at least 32 characters that all processes share." -}}
{{- end -}}
{{- $own := list "database" "secret-key" "secret-key-file" "secret-key-previous" "s3" "blob" "data" "listen" "metrics" "config" "public-url" "preview-domain" "first-site" "first-secrets" "deployment" "trusted-proxies" "workers" "shutdown-delay" "shutdown-grace" "log" -}}
{{- range $key, $_ := $p.settings -}}
{{- if has (splitList "." $key | first) $own -}}
{{- fail (printf "platform.settings.%s is set by the chart: secrets come from Secrets, and other settings have their own values." $key) -}}
{{- end -}}
{{- end -}}
{{- include "lectern.checkSettings" (dict "name" "" "value" $p.settings) -}}
{{- if and $p.ingress.enabled (not $p.ingress.hosts) -}}
{{- fail "platform.ingress.enabled needs platform.ingress.hosts." -}}
{{- end -}}
{{- if and $p.httpRoute.enabled (not $p.httpRoute.parentRefs) -}}
{{- fail "platform.httpRoute.enabled needs platform.httpRoute.parentRefs, the gateways that the route attaches to." -}}
{{- end -}}
{{- range $name, $w := dict "server" $p.server "worker" $p.worker -}}
{{- if and $w.autoscaling.enabled (gt (int $w.autoscaling.minReplicas) (int $w.autoscaling.maxReplicas)) -}}
{{- fail (printf "platform.%s.autoscaling.minReplicas is more than maxReplicas." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $job.enabled -}}
{{- if not $job.domain -}}
{{- fail "exportJob.enabled needs exportJob.domain, the domain of the site to export." -}}
{{- end -}}
{{- if not (or $job.url $p.enabled) -}}
{{- fail "exportJob.enabled needs exportJob.url, the server's address, unless platform.enabled runs one in this release." -}}
{{- end -}}
{{- if not $job.keySecret.name -}}
{{- fail "exportJob.enabled needs exportJob.keySecret.name: a Secret with an admin API key." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Rejects secrets among the settings at any depth and in dotted spelling, because settings are stored in a ConfigMap. value is the setting at name,
whose parts each begin with a dot. export.signing-key is allowed: it is the path of a file.
*/}}
{{- define "lectern.checkSettings" -}}
{{- $name := .name -}}
{{- if kindIs "map" .value -}}
{{- range $key, $below := .value -}}
{{- $path := printf "%s.%s" $name $key -}}
{{- if and (regexMatch "(?i)(key|secret|token|password|database|key[_-]previous)$" $key) (ne $path ".export.signing-key") -}}
{{- fail (printf "platform.settings%s is a secret, and settings are stored in a ConfigMap: put it into a Secret and reference that in platform.extraEnv with valueFrom.secretKeyRef." $path) -}}
{{- end -}}
{{- include "lectern.checkSettings" (dict "name" $path "value" $below) -}}
{{- end -}}
{{- else if kindIs "slice" .value -}}
{{- range .value -}}
{{- include "lectern.checkSettings" (dict "name" $name "value" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
