{{/* Objects of several components. Each template takes root, component, name and w, the component's values. */}}

{{- define "lectern.service" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "lectern.metadata" (merge (dict "annotations" .service.annotations) .) | nindent 2 }}
spec:
  type: {{ .service.type }}
  selector:
    {{- include "lectern.selector" . | nindent 4 }}
  ports:
    - {name: http, port: {{ .service.port }}, targetPort: http, protocol: TCP, appProtocol: http}
{{- end -}}

{{/* DNS names of a StatefulSet's pods, even before they are ready: POD.SERVICE.NAMESPACE.svc. */}}
{{- define "lectern.podsService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "lectern.metadata" (merge (dict "name" (printf "%s-pods" .name)) .) | nindent 2 }}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "lectern.selector" . | nindent 4 }}
  ports:
    - {name: http, port: {{ .w.port }}, targetPort: http, protocol: TCP, appProtocol: http}
{{- end -}}

{{/* Metrics have a separate service, so that no load balancer exposes them. */}}
{{- define "lectern.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "lectern.metadata" (merge (dict "name" (printf "%s-metrics" .name)) .) | nindent 2 }}
spec:
  clusterIP: None
  selector:
    {{- include "lectern.selector" . | nindent 4 }}
  ports:
    - {name: metrics, port: {{ .metricsPort }}, targetPort: metrics, protocol: TCP, appProtocol: http}
{{- end -}}

{{- define "lectern.ingress" -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "lectern.metadata" (merge (dict "annotations" .ingress.annotations) .) | nindent 2 }}
spec:
  {{- with .ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with .ingress.tls }}
  tls:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    {{- range .ingress.hosts }}
    - host: {{ . | quote }}
      http:
        paths:
          - path: {{ $.path }}
            pathType: Prefix
            backend:
              service:
                name: {{ include "lectern.fullname" $.root }}-{{ $.name }}
                port: {name: http}
    {{- end }}
{{- end -}}

{{/* A route of the Gateway API: route (the values), path. */}}
{{- define "lectern.httpRoute" -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  {{- include "lectern.metadata" (merge (dict "annotations" .route.annotations) .) | nindent 2 }}
spec:
  parentRefs:
    {{- toYaml .route.parentRefs | nindent 4 }}
  {{- with .route.hosts }}
  hostnames:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  rules:
    - matches:
        - path: {type: PathPrefix, value: {{ .path }}}
      backendRefs:
        - {name: {{ include "lectern.fullname" .root }}-{{ .name }}, port: {{ .service.port }}}
{{- end -}}

{{/*
The port of an http or https address, or of an s3 address's endpoint. 443 for an empty address, which is then in a Secret.
*/}}
{{- define "lectern.portOf" -}}
{{- $url := . -}}
{{- if hasPrefix "s3://" $url -}}
{{- $url = regexFind "[?&]endpoint=[^&]*" $url | trimPrefix "?" | trimPrefix "&" | trimPrefix "endpoint=" | replace "%3A" ":" | replace "%3a" ":" | replace "%2F" "/" | replace "%2f" "/" -}}
{{- end -}}
{{- $host := regexFind "^https?://[^/?#]*" $url -}}
{{- $port := regexFind ":[0-9]+$" $host | trimPrefix ":" -}}
{{- default (ternary "80" "443" (hasPrefix "http://" $url)) $port -}}
{{- end -}}

{{/* Egress rules of a component: those in egress, or, for auto, TCP to the ports (a list of strings). */}}
{{- define "lectern.egress" -}}
{{- if kindIs "string" .egress -}}
- ports:
    {{- range .ports | uniq }}
    - {protocol: TCP, port: {{ . }}}
    {{- end }}
{{- else -}}
{{- with .egress }}{{ toYaml . }}{{ end -}}
{{- end -}}
{{- end -}}

{{- define "lectern.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "lectern.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: {{ .kind }}
    name: {{ include "lectern.fullname" .root }}-{{ .name }}
  minReplicas: {{ .w.autoscaling.minReplicas }}
  maxReplicas: {{ .w.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ .w.autoscaling.cpuPercent }}}
{{- end -}}

{{- define "lectern.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "lectern.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ .w.podDisruptionBudget.maxUnavailable }}
  # A pod that is not ready does not block draining its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "lectern.selector" . | nindent 6 }}
{{- end -}}

{{/* Denies all traffic that is not listed. http and metrics say whether the pods have these ports; alsoFrom lists components that may connect in addition to the clients; egress is the component's value, and ports are the ports for auto; to lists pods of this release, as component and port. */}}
{{- define "lectern.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- $egress := include "lectern.egress" (dict "egress" .egress "ports" .ports) -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "lectern.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "lectern.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- if or .http (and .metrics $policy.metricsFrom) }}
  ingress:
    {{- if .http }}
    - ports:
        - {protocol: TCP, port: http}
      {{- with $policy.clientsFrom }}
      from:
        {{- toYaml . | nindent 8 }}
        {{- range $.alsoFrom }}
        - podSelector:
            matchLabels:
              {{- include "lectern.selector" (dict "root" $.root "component" .) | nindent 14 }}
        {{- end }}
      {{- end }}
    {{- end }}
    {{- if and .metrics $policy.metricsFrom }}
    - ports:
        - {protocol: TCP, port: metrics}
      from:
        {{- toYaml $policy.metricsFrom | nindent 8 }}
    {{- end }}
  {{- else }}
  ingress: []
  {{- end }}
  {{- if or $policy.dnsPorts $egress .to }}
  egress:
    {{- with $policy.dnsPorts }}
    - ports:
        {{- range . }}
        - {protocol: UDP, port: {{ . }}}
        - {protocol: TCP, port: {{ . }}}
        {{- end }}
    {{- end }}
    {{- range .to }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "lectern.selector" (dict "root" $.root "component" .component) | nindent 14 }}
      ports:
        - {protocol: TCP, port: {{ .port }}}
    {{- end }}
    {{- with $egress }}
    {{- . | nindent 4 }}
    {{- end }}
  {{- else }}
  egress: []
  {{- end }}
{{- end -}}

{{/* A claim's spec from the values p. */}}
{{- define "lectern.claimSpec" -}}
accessModes:
  {{- toYaml .accessModes | nindent 2 }}
{{- with .storageClass }}
storageClassName: {{ . }}
{{- end }}
resources:
  requests:
    storage: {{ .size }}
{{- end -}}
