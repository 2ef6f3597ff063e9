{{/* What the pods of all programs have in common. Each takes (dict "root" . "program" "api" "values" .Values.api). */}}

{{- define "spillway.podMetadata" -}}
metadata:
  labels:
    {{- include "spillway.labels" . | nindent 4 }}
    {{- with .values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    checksum/settings: {{ include (print .root.Template.BasePath "/settings/policy.yaml") .root | sha256sum }}
    checksum/secret: {{ include (print .root.Template.BasePath "/settings/secret.yaml") .root | sha256sum }}
    {{- with .values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}

{{- define "spillway.podPlacement" -}}
serviceAccountName: {{ include "spillway.serviceAccount" .root }}
automountServiceAccountToken: false
# Variables of services would be named like settings: a service `api` makes API_PORT.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .values.terminationGracePeriodSeconds }}
securityContext:
  {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with .root.Values.images.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- include "spillway.nodes" .values }}
{{- if .values.affinity }}
affinity:
  {{- toYaml .values.affinity | nindent 2 }}
{{- else if and (include "spillway.singleNode" .root) (ne .program "console") }}
affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            app.kubernetes.io/name: spillway
            app.kubernetes.io/instance: {{ .root.Release.Name }}
          matchExpressions:
            - { key: app.kubernetes.io/component, operator: In, values: [api, worker] }
{{- end }}
{{- if .root.Values.topologySpread }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "spillway.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Which nodes the pods may run on: .Values.api. */}}
{{- define "spillway.nodes" -}}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "spillway.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Probes of API and worker: (dict "port" "api"). The start may wait for Postgres for two minutes. */}}
{{- define "spillway.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 3
{{- end }}

{{/* A budget of disruptions, for programs of more than one pod. */}}
{{- define "spillway.podDisruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "spillway.fullname" .root }}-{{ .program }}
  labels:
    {{- include "spillway.labels" . | nindent 4 }}
spec:
  maxUnavailable: {{ .root.Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "spillway.selector" . | nindent 6 }}
{{- end }}
