{{/* What a container is told: variables without secrets, which are in a ConfigMap, and those with one. */}}

{{/* The settings of some names that values set, and the variables of OpenTelemetry: (list $ $names). */}}
{{- define "armada.settings" -}}
{{- $names := last . -}}
{{- $common := (get ((first .).Files.Get "files/services.yaml" | fromYaml) "common").settings -}}
{{- range $name, $value := (first .).Values.settings }}
{{- if or (has $name $names) (has $name $common) (hasPrefix "OTEL_" $name) }}
{{ $name }}: {{ include "armada.text" $value | quote }}
{{- end }}
{{- end }}
{{- if and (has "ARMADA_STREAM_REPLICAS" $names) (not (hasKey (first .).Values.settings "ARMADA_STREAM_REPLICAS")) }}
{{- with include "armada.streamReplicas" (first .) }}
ARMADA_STREAM_REPLICAS: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* How many copies of streams there are when nobody says: three on several servers; empty for the program's own one. */}}
{{- define "armada.streamReplicas" -}}
{{- if and .Values.nats.bundled (gt (int .Values.nats.replicas) 1) }}3{{ end -}}
{{- end }}

{{/* What every process of the program is told. */}}
{{- define "armada.everywhere" -}}
ARMADA_ADMIN_ADDR: "0.0.0.0:8081"
# No vehicles are made up on a server.
ARMADA_DEMO: "0"
{{- with include "armada.natsMonitorUrl" . }}
# /readyz says no when the server does not write to disk before it acknowledges.
ARMADA_NATS_MONITOR_URL: {{ . | quote }}
{{- end }}
{{- if include "armada.ca" . }}
SSL_CERT_FILE: {{ include "armada.caFile" . | quote }}
{{- end }}
{{- end }}

{{/* The variables of a service: (list $ "fleet" $facts). */}}
{{- define "armada.variables" -}}
{{- $ := first . -}}
{{- $facts := last . -}}
{{ include "armada.everywhere" $ }}
{{- if $facts.together }}
ARMADA_DATA_DIR: /var/lib/armada/data
{{- else }}
ARMADA_GRPC_ADDR: "0.0.0.0:8082"
{{- end }}
{{- if $facts.http }}
ARMADA_HTTP_ADDR: "0.0.0.0:8080"
{{- end }}
{{- range $facts.calls | sortAlpha }}
ARMADA_PEERS__{{ . | upper | replace "-" "_" }}: http://{{ include "armada.name" (list $ .) }}:8082
{{- end }}
{{- if include "armada.filesVolume" (list $ $facts) }}
ARMADA_FLEET__FILES__URL: file:///files/documents
{{- end }}
{{- if and $facts.http $.Values.maps.enabled }}
ARMADA_BFF__MAPS__DATA_DIR: /maps
{{- end }}
{{- include "armada.settings" (list $ $facts.settings) }}
{{- end }}

{{/* A variable out of a Secret: (list $ "VARIABLE" "KEY" optional). */}}
{{- define "armada.fromSecret" -}}
{{- $secrets := (first .).Values.secrets -}}
{{- $key := index . 2 -}}
{{- $elsewhere := get $secrets.elsewhere $key | default dict -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ $elsewhere.name | default $secrets.name | quote }}
      key: {{ $elsewhere.key | default $key | quote }}
      {{- if last . }}
      optional: true
      {{- end }}
{{- end }}

{{/* Settings that are secrets. Without the first two nothing works; all others may be left out: (list $ $names). */}}
{{- define "armada.secretSettings" -}}
{{- $required := list "ARMADA_SECRET_KEY" "ARMADA_IDENTITY__GATEWAY_ISSUER_SEED" -}}
{{- range append (last .) "OTEL_EXPORTER_OTLP_HEADERS" | sortAlpha }}
{{ include "armada.fromSecret" (list (first $) . . (not (has . $required))) }}
{{- end }}
{{- end }}

{{/* The logins to NATS, each password once and then the addresses: (list $ $nats). */}}
{{- define "armada.natsLogins" -}}
{{- $ := first . -}}
{{- $passwords := list -}}
{{- range last . }}
{{- $passwords = append $passwords .password }}
{{- end }}
{{- range $passwords | uniq }}
{{ include "armada.fromSecret" (list $ . . false) }}
{{- end }}
{{- range last . }}
- name: {{ .variable }}
  value: {{ include "armada.natsUrl" (list $ .user .password) | quote }}
{{- end }}
{{- end }}

{{/* The secrets of all services, for who vouches for their keys. */}}
{{- define "armada.allServiceSecrets" -}}
{{- range $name, $key := include "armada.serviceSecrets" . | fromJson }}
{{ include "armada.fromSecret" (list $ (printf "ARMADA_SERVICE_SECRETS__%s" ($name | upper | replace "-" "_")) $key false) }}
{{- end }}
{{- end }}

{{/* The variables with secrets of a service: (list $ "fleet" $facts). */}}
{{- define "armada.secretVariables" -}}
{{- $ := first . -}}
{{- $name := index . 1 | replace "-" "_" -}}
{{- $facts := last . -}}
{{- if and $facts.stores (not $facts.together) }}
{{ include "armada.fromSecret" (list $ "DATABASE_PASSWORD" (printf "ARMADA_%s_PASSWORD" (upper $name)) false) }}
- name: DATABASE_URL
  value: {{ include "armada.databaseUrl" (list $ (printf "armada_%s" $name) "DATABASE_PASSWORD") | quote }}
{{- end }}
{{- include "armada.natsLogins" (list $ $facts.nats) }}
{{- if $facts.together }}
{{- include "armada.natsLogins" (list $ (include "armada.operatorLogins" true | fromJsonArray)) }}
{{- end }}
{{- if $facts.secret }}
{{ include "armada.fromSecret" (list $ "ARMADA_SERVICE_SECRET" $facts.secret false) }}
{{- else }}
{{- include "armada.allServiceSecrets" $ }}
{{- end }}
{{- include "armada.secretSettings" (list $ $facts.secrets) }}
{{- end }}

{{/* Of who makes streams and buckets, and of the tools; beside the logins of services or alone. */}}
{{- define "armada.operatorLogins" -}}
{{- $own := ternary "ARMADA_NATS_URLS__OPERATOR" "ARMADA_NATS_URL" . -}}
{{- $logins := list
  (dict "variable" $own "user" "armada" "password" "NATS_OPERATOR_PASSWORD")
  (dict "variable" "ARMADA_NATS_URLS__OPERATOR_GATEWAYS" "user" "armada-gateways" "password" "NATS_OPERATOR_PASSWORD") -}}
{{- toJson $logins -}}
{{- end }}
