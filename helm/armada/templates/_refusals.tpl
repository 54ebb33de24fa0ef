{{/* What the schema of values cannot say. Each is one sentence that tells what to do. */}}
{{- define "armada.refusals" -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" .Release.Name) }}
  {{- fail (printf "release %s: names of Services begin with it, so it is a letter and then letters, digits and hyphens" .Release.Name) }}
{{- end }}
{{- include "armada.refusedSettings" . }}
{{- include "armada.refusedNames" . }}
{{- include "armada.refusedServices" . }}
{{- include "armada.refusedNats" . }}
{{- include "armada.refusedSizes" . }}
{{- end }}

{{/* Of the services. */}}
{{- define "armada.refusedServices" -}}
{{- $values := .Values -}}
{{- $services := include "armada.services" . | fromYaml -}}
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
  {{- if and $scaling.enabled (gt (include "armada.replicas" (list $ $name) | int) $max) }}
    {{- fail (printf "services.%s.autoscaling: minReplicas (or replicas) is more than maxReplicas" $name) }}
  {{- end }}
  {{- if and (gt $max 1) (include "armada.filesVolume" (list $ $facts)) (ne $values.files.accessMode "ReadWriteMany") }}
    {{- fail (printf "services.%s: several pods need a bucket (settings.ARMADA_FLEET__FILES__URL) or files.accessMode ReadWriteMany" $name) }}
  {{- end }}
  {{- if and (include "armada.filesVolume" (list $ $facts)) (eq $values.files.accessMode "ReadWriteMany") (not $values.files.existingClaim) }}
    {{- fail "files.accessMode ReadWriteMany: name a claim of this mode in files.existingClaim; that of the chart cannot change its own" }}
  {{- end }}
  {{- if and (gt $max 1) (include "armada.mapsOnNode" (list $ $facts)) }}
    {{- fail (printf "services.%s: several pods need a claim of maps that all nodes can read, and maps.accessMode to say so" $name) }}
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
{{- end }}

{{/* Of NATS. */}}
{{- define "armada.refusedNats" -}}
{{- $nats := .Values.nats -}}
{{- $copies := .Values.settings.ARMADA_STREAM_REPLICAS | default 1 | int -}}
{{- if and $nats.bundled (gt $copies (int $nats.replicas)) }}
  {{- fail (printf "settings.ARMADA_STREAM_REPLICAS: %d copies need as many servers; nats.replicas is %d" $copies (int $nats.replicas)) }}
{{- end }}
{{- if and $nats.bundled (or $nats.external.url $nats.external.monitorUrl) }}
  {{- fail "nats.external: it is for nats.bundled: false" }}
{{- end }}
{{- if and $nats.bundled $nats.tls.secret (gt (int $nats.replicas) 1) (not (include "armada.ca" .)) }}
  {{- fail "nats.tls.secret: several servers check each other's certificates; name their authority in ca" }}
{{- end }}
{{- end }}

{{/* Of settings. */}}
{{- define "armada.refusedSettings" -}}
{{- $values := .Values -}}
{{- range list "ARMADA_PUBLIC_URL" "ARMADA_FLEET__FILES__URL" }}
  {{- if and (hasKey $values.settings .) (eq (toString (get $values.settings .)) "") }}
    {{- fail (printf "settings.%s: an empty text is no address; leave it out" .) }}
  {{- end }}
{{- end }}
{{- if not (regexMatch "^https?://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?/?$" (toString $values.settings.ARMADA_PUBLIC_URL)) }}
  {{- fail "settings.ARMADA_PUBLIC_URL: it must be http(s)://host[:port]" }}
{{- end }}
{{- range list "OTEL_EXPORTER_OTLP_HEADERS" "OTEL_EXPORTER_OTLP_TRACES_HEADERS" }}
  {{- if hasKey $values.settings . }}
    {{- fail (printf "settings.%s: headers hold secrets; put OTEL_EXPORTER_OTLP_HEADERS into the Secret" .) }}
  {{- end }}
{{- end }}
{{- if not (regexMatch "^[1-9][0-9]*$" (include "armada.text" ($values.settings.ARMADA_POSITION_INGEST__PARTITIONS | default 8))) }}
  {{- fail "settings.ARMADA_POSITION_INGEST__PARTITIONS: it must be a number from 1" }}
{{- end }}
{{- if and $values.maps.enabled (hasKey $values.settings "ARMADA_BFF__MAPS__DATA_DIR") }}
  {{- fail "settings.ARMADA_BFF__MAPS__DATA_DIR: with maps.enabled the chart says it" }}
{{- end }}
{{- $files := $values.settings.ARMADA_FLEET__FILES__URL | default "s3://" | toString }}
{{- if and (eq $values.database.kind "postgresql") (not (hasPrefix "s3://" $files)) }}
  {{- fail "settings.ARMADA_FLEET__FILES__URL: it names a bucket, s3://…; the volume of a folder is that of files" }}
{{- end }}
{{- $public := urlParse $values.settings.ARMADA_PUBLIC_URL }}
{{- if and (or $values.edge.ingress.enabled $values.edge.route.enabled) (regexMatch "^([0-9.]+|.*:.*)$" $public.hostname) }}
  {{- fail "settings.ARMADA_PUBLIC_URL: an Ingress or a route leads to a name, not to an address of digits" }}
{{- end }}
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

{{/* Of keys that no pod is given. */}}
{{- define "armada.refusedNames" -}}
{{- $facts := .Files.Get "files/services.yaml" | fromYaml -}}
{{- $keys := concat (include "armada.natsPasswords" . | fromJsonArray) $facts.migrate.secrets -}}
{{- $keys = concat $keys (list "NATS_ROUTE_PASSWORD" "ARMADA_APP_PASSWORD" "ARMADA_OWNER_PASSWORD" "OTEL_EXPORTER_OTLP_HEADERS") -}}
{{- range $name, $service := omit $facts "common" "migrate" }}
  {{- $keys = concat $keys $service.secrets (compact (list $service.secret)) }}
  {{- if $service.stores }}
    {{- $keys = append $keys (printf "ARMADA_%s_PASSWORD" ($name | upper | replace "-" "_")) }}
  {{- end }}
{{- end }}
{{- range $key, $_ := .Values.secrets.elsewhere }}
  {{- if not (has $key $keys) }}
    {{- fail (printf "secrets.elsewhere.%s: no pod is given such a key; there are %s" $key ($keys | uniq | sortAlpha | join ", ")) }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Of sizes that do not fit into each other. One that is not understood is left to Kubernetes. */}}
{{- define "armada.refusedSizes" -}}
{{- $nats := .Values.nats -}}
{{- if $nats.bundled }}
  {{- if gt (include "armada.bytes" $nats.maxFileStore | float64) (include "armada.bytes" $nats.storage.size | float64) }}
    {{- fail (printf "nats.maxFileStore: %s do not fit into nats.storage.size, %s" $nats.maxFileStore $nats.storage.size) }}
  {{- end }}
  {{- $limit := ternary (dig "limits" "memory" "" $nats.resources) "1Gi" (not (empty $nats.resources)) }}
  {{- $limited := include "armada.bytes" $limit | float64 }}
  {{- if and (gt $limited 0.0) (ge (include "armada.bytes" $nats.goMemoryLimit | float64) $limited) }}
    {{- fail (printf "nats.goMemoryLimit: %s must be below the limit of the container, %s" $nats.goMemoryLimit (include "armada.text" $limit)) }}
  {{- end }}
{{- end }}
{{- $maps := .Values.maps -}}
{{- $cache := printf "%sMB" (include "armada.text" (.Values.settings.ARMADA_BFF__MAPS__CACHE_MB | default 512)) -}}
{{- if and $maps.enabled (gt (include "armada.bytes" $cache | float64) (include "armada.bytes" $maps.cacheSize | float64)) }}
  {{- fail (printf "settings.ARMADA_BFF__MAPS__CACHE_MB: %s do not fit into maps.cacheSize, %s" $cache $maps.cacheSize) }}
{{- end }}
{{- end }}

{{/* How many bytes a size is, as Kubernetes or NATS writes it; 0 for what is none. To NATS and to us MB are MiB. */}}
{{- define "armada.bytes" -}}
{{- $text := include "armada.text" . -}}
{{- $units := dict "" 1 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12
  "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776
  "KiB" 1024 "MiB" 1048576 "GiB" 1073741824 "MB" 1048576 "GB" 1073741824 "TB" 1099511627776 -}}
{{- $unit := regexFind "[A-Za-z]*$" $text -}}
{{- if and (regexMatch "^[0-9]+([.][0-9]+)?[A-Za-z]*$" $text) (hasKey $units $unit) }}
{{- mulf (regexFind "^[0-9.]+" $text | float64) (get $units $unit) -}}
{{- else }}0{{ end -}}
{{- end }}
