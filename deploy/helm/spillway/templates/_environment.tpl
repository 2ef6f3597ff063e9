{{/* Environment variables, by the names that docs/configuration.md has. */}}

{{/* One variable from the secret: (dict "root" . "name" "DATABASE_URL"). With "optional" true it may be missing there. */}}
{{- define "spillway.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ include "spillway.secret" .root }}, key: {{ .name }}{{ if .optional }}, optional: true{{ end }} }
{{- end }}

{{/* Of API and worker: (dict "root" . "values" .Values.api). */}}
{{- define "spillway.environment" -}}
{{- $values := .root.Values -}}
{{ include "spillway.fromSecret" (dict "root" .root "name" "DATABASE_URL") }}
{{- if $values.redis.enabled }}
{{ include "spillway.fromSecret" (dict "root" .root "name" "REDIS_URL") }}
{{- end }}
{{ include "spillway.fromSecret" (dict "root" .root "name" "SPILLWAY_SECRET_KEY") }}
{{- if $values.metrics.enabled }}
{{ include "spillway.fromSecret" (dict "root" .root "name" "SPILLWAY_OPERATOR_PASSWORD") }}
{{- end }}
- { name: SPILLWAY_LLM_PROVIDER, value: {{ $values.llm.provider | quote }} }
{{- if ne $values.llm.provider "extractive" }}
{{- /* A model at an address of its own may take no key. */}}
{{ include "spillway.fromSecret" (dict "root" .root "name" "SPILLWAY_LLM_API_KEY" "optional" (ne $values.llm.baseUrl "")) }}
{{- with $values.llm.baseUrl }}
- { name: SPILLWAY_LLM_BASE_URL, value: {{ . | quote }} }
{{- end }}
{{- with $values.llm.model }}
- { name: SPILLWAY_LLM_MODEL, value: {{ . | quote }} }
{{- end }}
{{- with $values.llm.chatModels }}
- { name: SPILLWAY_CHAT_MODELS, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}
{{- if eq $values.outputs.storage "s3" }}
{{- $s3 := $values.outputs.s3 }}
- name: SPILLWAY_OUTPUTS
  value: {{ printf "s3://%s/%s" $s3.bucket $s3.prefix | trimSuffix "/" | quote }}
{{- with $s3.endpoint }}
- { name: SPILLWAY_S3_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- with $s3.region }}
- { name: AWS_REGION, value: {{ . | quote }} }
{{- end }}
{{- if $s3.keysFromSecret }}
{{ include "spillway.fromSecret" (dict "root" .root "name" "AWS_ACCESS_KEY_ID") }}
{{ include "spillway.fromSecret" (dict "root" .root "name" "AWS_SECRET_ACCESS_KEY") }}
{{- end }}
{{- else }}
- { name: SPILLWAY_OUTPUTS, value: 'file:///data/outputs' }
{{- end }}
{{- if $values.policy }}
- { name: SPILLWAY_CONFIG, value: /etc/spillway/spillway.yaml }
{{- end }}
- { name: SPILLWAY_POOL, value: {{ .values.pool | quote }} }
{{- with $values.tracing.endpoint }}
- { name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ . | quote }} }
{{- end }}
- { name: LOG_LEVEL, value: {{ $values.logLevel | quote }} }
{{- include "spillway.moreEnvironment" .values }}
{{- end }}

{{- define "spillway.moreEnvironment" -}}
{{- range $name, $value := .env }}
{{- /* A whole number of a values file is a float, which from a million on would be printed as 1e+06. */}}
{{- if and (kindIs "float64" $value) (eq (floor $value) $value) }}{{- $value = int64 $value }}{{- end }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "spillway.volumeMounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if eq .Values.outputs.storage "folder" }}
- { name: outputs, mountPath: /data/outputs }
{{- end }}
{{- if .Values.policy }}
- { name: policy, mountPath: /etc/spillway, readOnly: true }
{{- end }}
{{- end }}

{{- define "spillway.volumes" -}}
- { name: tmp, emptyDir: {} }
{{- if eq .Values.outputs.storage "folder" }}
- name: outputs
  persistentVolumeClaim: { claimName: {{ include "spillway.claim" . }} }
{{- end }}
{{- if .Values.policy }}
- name: policy
  configMap: { name: {{ include "spillway.fullname" . }}-policy }
{{- end }}
{{- end }}
