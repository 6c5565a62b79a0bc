{{/* Names and labels. Each takes the root context, or a dict with root and component. */}}

{{- define "lectern.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "lectern.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "lectern.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "lectern.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* metadata of an object: root, component, name (the suffix of its name; "" for none) or exactName, its own annotations and labels. */}}
{{- define "lectern.metadata" -}}
name: {{ if .exactName }}{{ .exactName }}{{ else }}{{ include "lectern.fullname" .root }}{{ with .name }}-{{ . }}{{ end }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "lectern.labels" . | nindent 2 }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) (default (dict) .annotations) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "lectern.image" -}}
{{- with .Values.image -}}
{{- $repository := default (ternary "lectern-docs/lectern-platform" "lectern-docs/lectern" $.Values.platform.enabled) .repository -}}
{{- $name := printf "%s/%s" .registry $repository | trimPrefix "/" -}}
{{- if .digest -}}
{{- printf "%s@%s" $name .digest -}}
{{- else -}}
{{- printf "%s:%s" $name (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "lectern.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "lectern.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{/* "true" if OpenShift chooses user and groups. */}}
{{- define "lectern.openshift" -}}
{{- $on := .Values.security.openshift -}}
{{- if or (eq $on "on") (and (eq $on "auto") (.Capabilities.APIVersions.Has "security.openshift.io/v1")) -}}true{{- end -}}
{{- end -}}

{{/* "true" if the export job uses this release's server. */}}
{{- define "lectern.exportsHere" -}}
{{- if and .Values.platform.enabled .Values.exportJob.enabled (not .Values.exportJob.url) -}}true{{- end -}}
{{- end -}}

{{/* Address of this release's server inside the cluster. */}}
{{- define "lectern.serverUrl" -}}
http://{{ include "lectern.fullname" . }}-server.{{ .Release.Namespace }}.svc:{{ .Values.platform.service.port }}
{{- end -}}
