{{/* Names and labels. */}}

{{- define "spillway.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains "spillway" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-spillway" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{/* Labels that never change, of the pods of one program: (dict "root" . "program" "api"). */}}
{{- define "spillway.selector" -}}
app.kubernetes.io/name: spillway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .program }}
{{- end }}

{{- define "spillway.labels" -}}
{{ include "spillway.selector" . }}
app.kubernetes.io/part-of: spillway
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The image of a program: (dict "root" . "name" "spillway-api"). */}}
{{- define "spillway.image" -}}
{{- $images := .root.Values.images -}}
{{- $tag := $images.tag | default .root.Chart.AppVersion -}}
{{- if $images.registry }}{{ $images.registry }}/{{ end }}{{ .name }}:{{ $tag }}
{{- end }}

{{- define "spillway.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "spillway.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end }}

{{- define "spillway.secret" -}}
{{- .Values.secrets.existingSecret | default (include "spillway.fullname" .) -}}
{{- end }}

{{- define "spillway.claim" -}}
{{- .Values.outputs.folder.existingClaim | default (printf "%s-outputs" (include "spillway.fullname" .)) -}}
{{- end }}

{{/* Whether one pod alone may mount the folder of outputs. */}}
{{- define "spillway.singleNode" -}}
{{- if and (eq .Values.outputs.storage "folder") (ne .Values.outputs.folder.accessMode "ReadWriteMany") }}true{{ end }}
{{- end }}
