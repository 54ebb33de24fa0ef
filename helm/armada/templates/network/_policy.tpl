{{/* The beginning of a NetworkPolicy for some parts: (list $ "purpose" (list "fleet" "identity")), and the weight of a hook. */}}
{{- define "armada.policy" -}}
{{- $ := first . -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "armada.name" (list $ (index . 1)) }}
  labels: {{- include "armada.labels" (list $ "network") | nindent 4 }}
  {{- if gt (len .) 3 }}
  {{- include "armada.hook" (last .) | nindent 2 }}
  {{- end }}
spec:
  podSelector: {{- include "armada.pods" (list $ (index . 2)) | nindent 4 }}
{{- end }}

{{/* To PostgreSQL. */}}
{{- define "armada.toDatabase" -}}
- ports: [{ port: {{ int .Values.database.port }}, protocol: TCP }]
  {{- with .Values.networkPolicy.databaseTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* To NATS, and to what says whether it writes to disk before it acknowledges. */}}
{{- define "armada.toNats" -}}
{{- if .Values.nats.bundled }}
- to: [{ podSelector: {{ include "armada.pods" (list . (list "nats")) | fromYaml | toJson }} }]
  ports: [{ port: 4222, protocol: TCP }, { port: 8222, protocol: TCP }]
{{- else }}
- ports: {{ include "armada.portsOf" (list .Values.nats.external.url .Values.nats.external.monitorUrl) }}
  {{- with .Values.networkPolicy.natsTo }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The ports of lists of addresses, as JSON; those of http and https are known: (list $urls $urls). */}}
{{- define "armada.portsOf" -}}
{{- $ports := list -}}
{{- range join "," (compact .) | splitList "," }}
{{- $url := urlParse (trim .) -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" | default (ternary "80" "443" (eq $url.scheme "http")) | int -}}
{{- $ports = append $ports (dict "port" $port "protocol" "TCP") -}}
{{- end }}
{{- $ports | uniq | toJson -}}
{{- end }}

{{/* What settings name outside, as JSON: a purpose, the service that goes there, and the address. */}}
{{- define "armada.destinations" -}}
{{- $settings := .Values.settings -}}
{{- $named := list
  (dict "purpose" "sign-in" "part" "identity" "url" $settings.ARMADA_IDENTITY__OIDC__ISSUER)
  (dict "purpose" "bucket" "part" "fleet" "url" $settings.ARMADA_FLEET__FILES__ENDPOINT)
  (dict "purpose" "geocoder" "part" "position-ingest" "url" $settings.ARMADA_POSITION_INGEST__GEOCODER__URL) -}}
{{- $found := list -}}
{{- range $named }}
{{- if .url }}
{{- $found = append $found . }}
{{- end }}
{{- end }}
{{- toJson $found -}}
{{- end }}

{{/* The pods of some parts, of all when none is named: (list $ (list "fleet")). */}}
{{- define "armada.pods" -}}
matchLabels: {{- include "armada.release" (first .) | nindent 2 }}
{{- with last . }}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: {{ sortAlpha . | toJson }} }
{{- end }}
{{- end }}

{{/* The parts for which something holds, as JSON: (list $ "stores"). Who migrates is not among them. */}}
{{- define "armada.partsWith" -}}
{{- $parts := list -}}
{{- range $name, $facts := include "armada.services" (first .) | fromYaml }}
{{- $tuning := include "armada.tuning" (list (first $) $name) | fromJson }}
{{- if dig (last $) (get $facts (last $)) $tuning }}
{{- $parts = append $parts $name }}
{{- end }}
{{- end }}
{{- toJson $parts -}}
{{- end }}
