{{/* Templates that servers, workers and the migration share. Settings are variables, so that `kubectl exec … lectern keys create` has them, too. */}}

{{- define "lectern.databaseEnv" -}}
{{- with .Values.platform -}}
- name: LECTERN_DATA
  value: /var/lib/lectern/data
{{ include "lectern.secretEnv" (dict "name" "LECTERN_DATABASE" "secret" .databaseSecret.name "key" .databaseSecret.key) }}
{{ include "lectern.secretEnv" (dict "name" "LECTERN_SECRET_KEY" "secret" .secretKeySecret.name "key" .secretKeySecret.key) }}
{{- if .secretKeySecret.previousKey }}
{{ include "lectern.secretEnv" (dict "name" "LECTERN_SECRET_KEY_PREVIOUS" "secret" .secretKeySecret.name "key" .secretKeySecret.previousKey) }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Ports that platform.egress: auto allows: https, PostgreSQL, ssh, and the bucket's. */}}
{{- define "lectern.platformPorts" -}}
{{- list "443" "5432" "22" (include "lectern.portOf" .Values.platform.bucketUrl) | toJson -}}
{{- end -}}

{{/* Ports that exportJob.egress: auto allows: https, that of another server, and that of this release's bucket, which links point to. */}}
{{- define "lectern.exportPorts" -}}
{{- $ports := list "443" (include "lectern.portOf" .Values.exportJob.url) -}}
{{- if include "lectern.exportsHere" . -}}
{{- $ports = append $ports (include "lectern.portOf" .Values.platform.bucketUrl) -}}
{{- end -}}
{{- $ports | toJson -}}
{{- end -}}

{{/* root, workers (jobs at once; -1 for none). */}}
{{- define "lectern.platformEnv" -}}
{{- with .root.Values.platform -}}
{{ include "lectern.databaseEnv" $.root }}
- name: LECTERN_BLOB
  value: {{ .bucketUrl | quote }}
{{ include "lectern.s3Env" .bucketSecret }}
- name: LECTERN_LISTEN
  value: ":{{ .port }}"
- name: LECTERN_METRICS_LISTEN
  value: ":{{ .metricsPort }}"
- name: LECTERN_PUBLIC_URL
  value: {{ .publicUrl | quote }}
{{- with .previewDomain }}
- name: LECTERN_PREVIEW_DOMAIN
  value: {{ . | quote }}
{{- end }}
- name: LECTERN_FIRST_SECRETS
  value: "off"
- name: LECTERN_FIRST_SITE
  value: {{ .firstSite | quote }}
- name: LECTERN_DEPLOYMENT_TYPE
  value: {{ .deploymentType }}
{{- with .trustedProxies }}
- name: LECTERN_TRUSTED_PROXIES
  value: {{ join "," . | quote }}
{{- end }}
- name: LECTERN_WORKERS
  value: {{ $.workers | quote }}
- name: LECTERN_SHUTDOWN_DELAY
  value: {{ $.delay }}s
- name: LECTERN_SHUTDOWN_GRACE
  value: {{ .shutdown.graceSeconds }}s
{{- if .settings }}
- name: LECTERN_CONFIG
  value: /etc/lectern/config/lectern.yaml
{{- end }}
{{- if .credentialsSecret.name }}
- name: LECTERN_CREDENTIALS_DIR
  value: /etc/lectern/credentials
{{- end }}
{{- if .signingKeySecret.name }}
- name: LECTERN_EXPORT_SIGNING_KEY
  value: /etc/lectern/signing/key.pem
{{- end }}
{{- if .repositories.existingClaim }}
- name: LECTERN_REPOSITORIES
  value: /var/lib/lectern-repositories/git
{{- end }}
{{- with .extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "lectern.platformMounts" -}}
- {name: data, mountPath: /var/lib/lectern}
- {name: tmp, mountPath: /tmp}
{{- with .Values.platform }}
{{- if .settings }}
- {name: config, mountPath: /etc/lectern/config, readOnly: true}
{{- end }}
{{- if .credentialsSecret.name }}
- {name: credentials, mountPath: /etc/lectern/credentials, readOnly: true}
{{- end }}
{{- if .signingKeySecret.name }}
- {name: signing, mountPath: /etc/lectern/signing, readOnly: true}
{{- end }}
{{- if .repositories.existingClaim }}
- {name: repositories, mountPath: /var/lib/lectern-repositories}
{{- end }}
{{- with .extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* root, w. */}}
{{- define "lectern.platformVolumes" -}}
- name: data
  emptyDir: {sizeLimit: {{ .w.diskLimit }}}
- name: tmp
  emptyDir: {sizeLimit: 1Gi}
{{- with .root.Values.platform }}
{{- if .settings }}
- name: config
  configMap:
    name: {{ include "lectern.fullname" $.root }}-config
{{- end }}
{{- with .credentialsSecret.name }}
- name: credentials
  secret:
    secretName: {{ . }}
{{- end }}
{{- with .signingKeySecret }}
{{- if .name }}
- name: signing
  secret:
    secretName: {{ .name }}
    items:
      - {key: {{ .key }}, path: key.pem}
{{- end }}
{{- end }}
{{- with .repositories.existingClaim }}
- name: repositories
  persistentVolumeClaim: {claimName: {{ . }}}
{{- end }}
{{- with .extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A Deployment of servers or workers: root, component, name, w, command, workers, delay (seconds), http (whether it serves clients). */}}
{{- define "lectern.platformDeployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "lectern.metadata" . | nindent 2 }}
spec:
  {{- if not .w.autoscaling.enabled }}
  replicas: {{ .w.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      {{- include "lectern.selector" . | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
  template:
    metadata:
      {{- include "lectern.podMetadata" (merge (dict "checksum" (toJson .root.Values.platform.settings | sha256sum)) .) | nindent 6 }}
    spec:
      {{- include "lectern.podSpec" . | nindent 6 }}
      {{- include "lectern.spread" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ add .delay .root.Values.platform.shutdown.graceSeconds 15 }}
      containers:
        - {{- include "lectern.container" . | nindent 10 }}
          args: [{{ .command }}]
          env:
            {{- include "lectern.processEnv" . | nindent 12 }}
            {{- include "lectern.platformEnv" . | nindent 12 }}
          ports:
            {{- if .http }}
            - {name: http, containerPort: {{ .root.Values.platform.port }}, protocol: TCP}
            {{- end }}
            - {name: metrics, containerPort: {{ .root.Values.platform.metricsPort }}, protocol: TCP}
          {{- include "lectern.probes" (dict "seconds" .w.startupSeconds) | nindent 10 }}
          volumeMounts:
            {{- include "lectern.platformMounts" .root | nindent 12 }}
      volumes:
        {{- include "lectern.platformVolumes" . | nindent 8 }}
{{- end -}}
