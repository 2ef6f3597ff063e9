{{/* Combinations of values that cannot work, each with what to do. The schema refuses values that are wrong alone. */}}
{{- define "spillway.refusals" -}}
{{- $v := .Values -}}
{{- if and (eq $v.outputs.storage "s3") (not $v.outputs.s3.bucket) -}}
{{- fail "outputs.s3.bucket is empty: name a bucket, or set outputs.storage to folder." -}}
{{- end -}}
{{- if include "spillway.singleNode" . -}}
{{- $one := "outputs.folder.accessMode is %s, which one node can mount: %s. Take ReadWriteMany, or outputs.storage s3." -}}
{{- $mode := $v.outputs.folder.accessMode -}}
{{- if gt (int $v.api.replicas) 1 -}}{{- fail (printf $one $mode "api.replicas must be 1") -}}{{- end -}}
{{- if gt (int $v.worker.replicas) 1 -}}{{- fail (printf $one $mode "worker.replicas must be 1") -}}{{- end -}}
{{- if $v.api.autoscaling.enabled -}}{{- fail (printf $one $mode "api.autoscaling cannot be enabled") -}}{{- end -}}
{{- if $v.worker.keda.enabled -}}{{- fail (printf $one $mode "worker.keda cannot be enabled") -}}{{- end -}}
{{- end -}}
{{- if not $v.secrets.existingSecret -}}
{{- $needed := list "DATABASE_URL" "SPILLWAY_SECRET_KEY" -}}
{{- if $v.migrations.enabled -}}{{- $needed = append $needed "MIGRATION_DATABASE_URL" -}}{{- end -}}
{{- if $v.redis.enabled -}}{{- $needed = append $needed "REDIS_URL" -}}{{- end -}}
{{- if $v.bootstrap.enabled -}}{{- $needed = append $needed "SPILLWAY_BOOTSTRAP_KEY" -}}{{- end -}}
{{- if $v.metrics.enabled -}}{{- $needed = append $needed "SPILLWAY_OPERATOR_PASSWORD" -}}{{- end -}}
{{- if $v.console.enabled -}}{{- $needed = append $needed "CONSOLE_SESSION_SECRET" -}}{{- end -}}
{{- if and (ne $v.llm.provider "extractive") (not $v.llm.baseUrl) -}}{{- $needed = append $needed "SPILLWAY_LLM_API_KEY" -}}{{- end -}}
{{- if and (eq $v.outputs.storage "s3") $v.outputs.s3.keysFromSecret -}}
{{- $needed = concat $needed (list "AWS_ACCESS_KEY_ID" "AWS_SECRET_ACCESS_KEY") -}}
{{- end -}}
{{- range $needed -}}
{{- if not (get $v.secrets.values .) -}}
{{- fail (printf "secrets.values.%s is empty: set it, or secrets.existingSecret with that key." .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $v.migrations.eventEpoch (not $v.migrations.enabled) -}}
{{- fail "migrations.eventEpoch needs migrations.enabled: the job that migrates begins the epoch." -}}
{{- end -}}
{{- if and (eq $v.llm.provider "openai-compatible") (not $v.llm.baseUrl) -}}
{{- fail "llm.baseUrl is empty: llm.provider openai-compatible needs the address of its API, such as http://vllm.models.svc:8000/v1." -}}
{{- end -}}
{{- if $v.worker.keda.enabled -}}
{{- if not $v.metrics.enabled -}}
{{- fail "worker.keda needs metrics.enabled: it scales by spillway_threads of /metrics." -}}
{{- end -}}
{{- if not $v.worker.keda.prometheusAddress -}}
{{- fail "worker.keda.prometheusAddress is empty: say where Prometheus answers." -}}
{{- end -}}
{{- if gt (int $v.worker.keda.minReplicas) (int $v.worker.keda.maxReplicas) -}}
{{- fail "worker.keda.minReplicas is greater than worker.keda.maxReplicas." -}}
{{- end -}}
{{- end -}}
{{- if and $v.api.autoscaling.enabled (gt (int $v.api.autoscaling.minReplicas) (int $v.api.autoscaling.maxReplicas)) -}}
{{- fail "api.autoscaling.minReplicas is greater than api.autoscaling.maxReplicas." -}}
{{- end -}}
{{- if and (or $v.metrics.podMonitor.enabled $v.metrics.rules.enabled) (not $v.metrics.enabled) -}}
{{- fail "metrics.podMonitor and metrics.rules need metrics.enabled." -}}
{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.api.host) (not $v.ingress.console.host) -}}
{{- fail "ingress.enabled needs ingress.api.host or ingress.console.host." -}}
{{- end -}}
{{- $drained := add (int $v.api.drainSeconds) 28 -}}
{{- if lt (int $v.api.terminationGracePeriodSeconds) (int $drained) -}}
{{- fail (printf "api.terminationGracePeriodSeconds must be at least %d: 28 s to stop, after api.drainSeconds." (int $drained)) -}}
{{- end -}}
{{- end }}
