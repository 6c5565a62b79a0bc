{{/* Objects that several components have. Each takes root, component, name and w, the component's values. */}}

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

{{/* Metrics have a service of their own, so that no load balancer shows them to the world. */}}
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
  # A pod that does not serve anyway keeps no node from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "lectern.selector" . | nindent 6 }}
{{- end -}}

{{/* Denies all that is not listed. http and metrics say whether the pods have these ports; fromExport lets the export job in beside the clients; egress is a list of rules; toServer adds this release's server. */}}
{{- define "lectern.networkPolicy" -}}
{{- $policy := .root.Values.networkPolicy -}}
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
        {{- if $.fromExport }}
        - podSelector:
            matchLabels:
              {{- include "lectern.selector" (dict "root" $.root "component" "export") | nindent 14 }}
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
  {{- if or $policy.dnsPorts .egress .toServer }}
  egress:
    {{- with $policy.dnsPorts }}
    - ports:
        {{- range . }}
        - {protocol: UDP, port: {{ . }}}
        - {protocol: TCP, port: {{ . }}}
        {{- end }}
    {{- end }}
    {{- if .toServer }}
    - to:
        - podSelector:
            matchLabels:
              {{- include "lectern.selector" (dict "root" .root "component" "server") | nindent 14 }}
      ports:
        - {protocol: TCP, port: {{ .root.Values.platform.port }}}
    {{- end }}
    {{- with .egress }}
    {{- toYaml . | nindent 4 }}
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
