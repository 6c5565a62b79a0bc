{{/*
Parts of pods: what the Pod Security Standard "restricted" requires, and what pods need to run on OpenShift.
*/}}

{{/* Fields that every pod spec has. Takes root, component, w (the component's values), account ("" for the chart's). */}}
{{- define "lectern.podSpec" -}}
{{- $root := .root -}}
serviceAccountName: {{ default (include "lectern.serviceAccountName" $root) .account }}
automountServiceAccountToken: false
{{- /* Service variables named LECTERN_… would be read as settings. */}}
enableServiceLinks: false
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  {{- if not (include "lectern.openshift" $root) }}
  {{- with $root.Values.security }}
  {{- if not (kindIs "invalid" .runAsUser) }}
  runAsUser: {{ int64 .runAsUser }}
  {{- end }}
  {{- if not (kindIs "invalid" .runAsGroup) }}
  runAsGroup: {{ int64 .runAsGroup }}
  {{- end }}
  {{- if not (kindIs "invalid" .fsGroup) }}
  fsGroup: {{ int64 .fsGroup }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  {{- end }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with .w.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .w.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .w.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .w.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{/* Spreads a long-running component over nodes and zones if possible. */}}
{{- define "lectern.spread" -}}
topologySpreadConstraints:
{{- if .w.topologySpreadConstraints }}
  {{- toYaml .w.topologySpreadConstraints | nindent 2 }}
{{- else }}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "lectern.selector" $ | nindent 8 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* metadata of a pod template; checksum restarts pods when something that they read at startup changes. */}}
{{- define "lectern.podMetadata" -}}
labels:
  {{- include "lectern.selector" . | nindent 2 }}
  {{- with .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .w.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- $annotations := merge (dict) (default (dict) .w.podAnnotations) .root.Values.commonAnnotations }}
{{- with .checksum }}
{{- $_ := set $annotations "checksum/config" . }}
{{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "lectern.container" -}}
name: lectern
image: {{ include "lectern.image" .root | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
  seccompProfile:
    type: RuntimeDefault
resources:
  {{- toYaml .w.resources | nindent 2 }}
{{- end -}}

{{/* startup allows a slow start, readiness checks that the pod can serve, liveness only that the process responds. seconds is how long a start may take. */}}
{{- define "lectern.probes" -}}
startupProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: {{ div (add (int .seconds) 1) 2 }}
readinessProbe:
  httpGet: {path: "/readyz?for=sites", port: metrics}
  periodSeconds: 3
  timeoutSeconds: 3
  failureThreshold: 2
livenessProbe:
  httpGet: {path: /healthz, port: metrics}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end -}}

{{/* A variable from a Secret: name, secret, key. */}}
{{- define "lectern.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{/* Keys of an S3 server, from the Secret s. */}}
{{- define "lectern.s3Env" -}}
{{ include "lectern.secretEnv" (dict "name" "LECTERN_S3_ACCESS_KEY" "secret" .name "key" .accessKeyKey) }}
{{ include "lectern.secretEnv" (dict "name" "LECTERN_S3_SECRET_KEY" "secret" .name "key" .secretKeyKey) }}
{{- if .sessionTokenKey }}
{{ include "lectern.secretEnv" (dict "name" "LECTERN_S3_SESSION_TOKEN" "secret" .name "key" .sessionTokenKey) }}
{{- end }}
{{- end -}}

{{/* Four fifths of a memory limit, in bytes; the rest is for memory that Go does not count, such as child processes. "" without a limit or with one in an unsupported notation. */}}
{{- define "lectern.goMemory" -}}
{{- $text := . -}}
{{- if not (kindIs "string" .) -}}{{- $text = int64 . | toString -}}{{- end -}}
{{- if regexMatch "^[0-9]+([.][0-9]+)?(Ki|Mi|Gi|k|M|G)?$" $text -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 -}}
{{- $bytes := mulf (regexFind "^[0-9.]+" $text | float64) (index $units (regexFind "[A-Za-z]*$" $text)) 0.8 | int64 -}}
{{- if gt $bytes 0 -}}{{- $bytes -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Variables for the log and for Go's memory limit: root and w. */}}
{{- define "lectern.processEnv" -}}
- name: LECTERN_LOG_LEVEL
  value: {{ .root.Values.log.level }}
- name: LECTERN_LOG_FORMAT
  value: {{ .root.Values.log.format }}
{{- with include "lectern.goMemory" (dig "limits" "memory" "" .w.resources) }}
- name: GOMEMLIMIT
  value: {{ . | quote }}
{{- end }}
{{- end -}}
