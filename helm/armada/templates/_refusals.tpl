{{/* What the schema of values cannot say. Each is one sentence that tells what to do. */}}
{{- define "armada.refusals" -}}
{{- $values := .Values -}}
{{- $services := include "armada.services" . | fromYaml -}}
{{- $replicas := $values.settings.ARMADA_STREAM_REPLICAS | default 1 | int -}}
{{- range $name, $_ := $values.services }}
  {{- if not (hasKey $services $name) }}
    {{- fail (printf "services.%s: there is no such service here; there are %s" $name (keys $services | sortAlpha | join ", ")) }}
  {{- end }}
{{- end }}
{{- range $name, $facts := $services }}
  {{- $tuning := include "armada.tuning" (list $ $name) | fromJson }}
  {{- $scaling := dig "autoscaling" dict $tuning }}
  {{- $max := ternary (include "armada.maxReplicas" (list $ $name $facts) | int) (include "armada.replicas" (list $ $name) | int) ($scaling.enabled | default false) }}
  {{- if and $facts.together (gt $max 1) }}
    {{- fail (printf "services.%s: on SQLite there is one process; take PostgreSQL for more" $name) }}
  {{- end }}
  {{- if and (gt $max 1) (include "armada.filesVolume" (list $ $facts)) (ne $values.files.accessMode "ReadWriteMany") }}
    {{- fail (printf "services.%s: several pods need a bucket (settings.ARMADA_FLEET__FILES__URL) or files.accessMode ReadWriteMany" $name) }}
  {{- end }}
  {{- if and (eq $facts.scales "partitions") (gt (include "armada.replicas" (list $ $name) | int) (include "armada.partitions" $ | int)) }}
    {{- fail (printf "services.%s: more pods than partitions have nothing to do" $name) }}
  {{- end }}
  {{- if and $scaling.enabled (eq $facts.scales "no") }}
    {{- fail (printf "services.%s.autoscaling: it does not scale" $name) }}
  {{- end }}
  {{- if and $scaling.enabled (eq ($scaling.by | default "cpu") "lag") (not $facts.consumers) }}
    {{- fail (printf "services.%s.autoscaling.by: it reads no stream by a durable consumer; take cpu" $name) }}
  {{- end }}
  {{- if and $scaling.enabled (eq ($scaling.by | default "cpu") "lag") (not (include "armada.natsMonitorUrl" $)) }}
    {{- fail "autoscaling by lag needs nats.external.monitorUrl" }}
  {{- end }}
{{- end }}
{{- if and $values.nats.bundled $values.migrate.hook }}
  {{- fail "migrate.hook: a hook would wait for a NATS that waits for it; it is for NATS and PostgreSQL that are there already" }}
{{- end }}
{{- if and $values.migrate.hook (ne $values.database.kind "postgresql") }}
  {{- fail "migrate.hook: on SQLite the program migrates when it starts" }}
{{- end }}
{{- if and $values.nats.bundled (gt $replicas (int $values.nats.replicas)) }}
  {{- fail (printf "settings.ARMADA_STREAM_REPLICAS: %d copies need as many servers; nats.replicas is %d" $replicas (int $values.nats.replicas)) }}
{{- end }}
{{- $public := urlParse $values.settings.ARMADA_PUBLIC_URL }}
{{- if and (eq $public.scheme "https") (not $values.settings.ARMADA_BFF__TRUSTED_PROXIES) }}
  {{- fail "settings.ARMADA_BFF__TRUSTED_PROXIES: name the proxies in front, e.g. '[\"10.0.0.0/8\"]' for the network of the pods of the ingress" }}
{{- end }}
{{- if and (or $values.edge.ingress.enabled $values.edge.route.enabled) (ne $public.scheme "https") }}
  {{- fail "settings.ARMADA_PUBLIC_URL: it must begin with https:// where an Ingress or a route leads to it" }}
{{- end }}
{{- if and $values.ca.configMap $values.ca.secret }}
  {{- fail "ca: name a ConfigMap or a Secret, not both" }}
{{- end }}
{{- end }}
