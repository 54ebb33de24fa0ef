{{/* Names and labels. */}}

{{- define "armada.fullname" -}}
{{- ternary .Release.Name (printf "%s-armada" .Release.Name) (contains "armada" .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* The name of a part: (list $ "fleet"). */}}
{{- define "armada.name" -}}
{{- printf "%s-%s" (include "armada.fullname" (first .)) (last .) -}}
{{- end }}

{{/* By which the pods of this release are told from all others. */}}
{{- define "armada.release" -}}
app.kubernetes.io/name: armada
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{/* By which the pods of a part are found: (list $ "fleet"). */}}
{{- define "armada.selector" -}}
{{ include "armada.release" (first .) }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "armada.labels" -}}
{{- $ := first . -}}
{{ include "armada.selector" . }}
app.kubernetes.io/version: {{ $.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $.Chart.Name $.Chart.Version }}
{{- end }}

{{/* Services. */}}

{{/* What files/services.yaml says of each service that gets pods of its own. On SQLite there is one, of all. */}}
{{- define "armada.services" -}}
{{- $declared := omit (.Files.Get "files/services.yaml" | fromYaml) "common" "migrate" -}}
{{- if eq .Values.database.kind "postgresql" }}
{{- toYaml $declared }}
{{- else }}
{{- include "armada.together" (list $declared (get (.Files.Get "files/services.yaml" | fromYaml) "migrate")) }}
{{- end }}
{{- end }}

{{/* All services as one that runs in one process and migrates itself, with a login to NATS for each: (list $services $migrate). */}}
{{- define "armada.together" -}}
{{- $nats := list -}}
{{- range $name, $facts := first . }}
{{- range $facts.nats }}
{{- $own := printf "ARMADA_NATS_URLS__%s" ($name | upper | replace "-" "_") -}}
{{- $nats = append $nats (set (deepCopy .) "variable" (ternary $own .variable (eq .variable "ARMADA_NATS_URL"))) }}
{{- end }}
{{- end }}
{{- $settings := (last .).settings -}}
{{- $secrets := list -}}
{{- $consumers := list -}}
{{- range first . }}
{{- $settings = concat $settings .settings }}
{{- $secrets = concat $secrets .secrets }}
{{- $consumers = concat $consumers .consumers }}
{{- end }}
all-in-one:
  about: Every service in one process.
  together: true
  stores: true
  calls: []
  nats: {{ toJson $nats }}
  settings: {{ $settings | uniq | toJson }}
  secrets: {{ $secrets | uniq | toJson }}
  outside: true
  http: true
  files: false
  scales: "no"
  consumers: {{ toJson $consumers }}
  memory: 2Gi
{{- end }}

{{/* The one that browsers reach. */}}
{{- define "armada.edge" -}}
{{- range $name, $facts := include "armada.services" . | fromYaml }}
{{- if $facts.http }}{{ $name }}{{ end }}
{{- end }}
{{- end }}

{{/* The services that have `secret`, and the name of its key there, as JSON. */}}
{{- define "armada.serviceSecrets" -}}
{{- $secrets := dict -}}
{{- range $name, $facts := omit (.Files.Get "files/services.yaml" | fromYaml) "common" "migrate" }}
{{- if $facts.secret }}
{{- $_ := set $secrets $name $facts.secret }}
{{- end }}
{{- end }}
{{- toJson $secrets -}}
{{- end }}

{{/* What values say of a service: (list $ "fleet"), as JSON. */}}
{{- define "armada.tuning" -}}
{{- get (first .).Values.services (last .) | default dict | toJson -}}
{{- end }}

{{/* The fewest pods that a service has: (list $ "fleet"). */}}
{{- define "armada.replicas" -}}
{{- $tuning := include "armada.tuning" . | fromJson -}}
{{- $replicas := $tuning.replicas | default 1 -}}
{{- if dig "autoscaling" "enabled" false $tuning }}
{{- $replicas = dig "autoscaling" "minReplicas" $replicas $tuning }}
{{- end }}
{{- int $replicas -}}
{{- end }}

{{/* The number of partitions, which NATS, ingest and `migrate` are told. */}}
{{- define "armada.partitions" -}}
{{- .Values.settings.ARMADA_POSITION_INGEST__PARTITIONS | default 8 | int -}}
{{- end }}

{{/* The most pods that a service may have when it is scaled: (list $ "fleet" $facts). */}}
{{- define "armada.maxReplicas" -}}
{{- $tuning := include "armada.tuning" (list (first .) (index . 1)) | fromJson -}}
{{- $min := include "armada.replicas" (list (first .) (index . 1)) | int -}}
{{- $max := dig "autoscaling" "maxReplicas" (max 4 $min) $tuning | int -}}
{{- if eq (last .).scales "partitions" }}
{{- $max = min $max (include "armada.partitions" (first .) | int) }}
{{- end }}
{{- $max -}}
{{- end }}

{{/* Whether a service keeps files in a volume, and not in a bucket: (list $ $facts); empty when not. */}}
{{- define "armada.filesVolume" -}}
{{- if and (last .).files (not (first .).Values.settings.ARMADA_FLEET__FILES__URL) }}yes{{ end -}}
{{- end }}

{{/* Whether pods of a service cannot be replaced one by one, since a volume is on one node: (list $ $facts). */}}
{{- define "armada.boundToNode" -}}
{{- $ := first . -}}
{{- $onNode := and (include "armada.filesVolume" .) (eq $.Values.files.accessMode "ReadWriteOnce") -}}
{{- if or (last .).together $onNode (include "armada.mapsOnNode" .) }}yes{{ end -}}
{{- end }}

{{/* Whether a service reads street maps from a claim that pods of one node alone can have: (list $ $facts). */}}
{{- define "armada.mapsOnNode" -}}
{{- $maps := (first .).Values.maps -}}
{{- if and (last .).http $maps.enabled $maps.existingClaim (eq $maps.accessMode "ReadWriteOnce") }}yes{{ end -}}
{{- end }}

{{/* Seconds between being told to stop and being killed: 5 of `preStop`, the program's own delay, 20 for what was begun,
     within which sockets are closed, and 15 to spare. */}}
{{- define "armada.grace" -}}
{{- add 5 (.Values.settings.ARMADA_SHUTDOWN_DELAY_SECONDS | default 0 | int) 20 15 -}}
{{- end }}

{{/* Where NATS is. */}}

{{/* The addresses without a login, separated by commas. */}}
{{- define "armada.natsHosts" -}}
{{- if .Values.nats.bundled }}{{ ternary "tls" "nats" (ne .Values.nats.tls.secret "") }}://{{ include "armada.name" (list . "nats") }}:4222
{{- else }}{{ .Values.nats.external.url }}{{ end -}}
{{- end }}

{{/* The addresses for a user, with the variable that holds their password: (list $ "fleet" "NATS_FLEET_PASSWORD"). */}}
{{- define "armada.natsUrl" -}}
{{- include "armada.natsHosts" (first .) | replace "://" (printf "://%s:$(%s)@" (index . 1) (last .)) -}}
{{- end }}

{{/* Where the servers tell of themselves: each of several by its own name, separated by commas. */}}
{{- define "armada.natsMonitorUrl" -}}
{{- if not .Values.nats.bundled }}
{{- .Values.nats.external.monitorUrl -}}
{{- else if eq (int .Values.nats.replicas) 1 }}
{{- printf "http://%s:8222" (include "armada.name" (list . "nats")) -}}
{{- else }}
{{- $urls := list -}}
{{- range until (int .Values.nats.replicas) }}
{{- $urls = append $urls (printf "http://%s:8222" (include "armada.natsServer" (list $ .))) }}
{{- end }}
{{- join "," $urls -}}
{{- end }}
{{- end }}

{{/* The name of a server of several: (list $ 0). */}}
{{- define "armada.natsServer" -}}
{{- printf "%s-%d.%s" (include "armada.name" (list (first .) "nats")) (last .) (include "armada.name" (list (first .) "nats-servers")) -}}
{{- end }}

{{/* For who asks from another namespace, with one address, before which it puts `<server>.` for each of a cluster. */}}
{{- define "armada.natsMonitorOfServers" -}}
{{- if .Values.nats.bundled }}{{ include "armada.name" (list . "nats-servers") }}.{{ .Release.Namespace }}.svc:8222
{{- else }}{{ (urlParse (splitList "," .Values.nats.external.monitorUrl | first)).host }}{{ end -}}
{{- end }}

{{/* Where PostgreSQL is, for a login and the variable that holds its password: (list $ "armada_fleet" "DATABASE_PASSWORD"). */}}
{{- define "armada.databaseUrl" -}}
{{- $database := (first .).Values.database -}}
{{- $url := printf "postgres://%s:$(%s)@%s:%d/%s?sslmode=%s" (index . 1) (last .) $database.host (int $database.port) $database.name $database.sslmode -}}
{{- if include "armada.ca" (first .) }}{{ $url = printf "%s&sslrootcert=%s" $url (include "armada.caFile" (first .)) }}{{ end -}}
{{- $url -}}
{{- end }}

{{/* The own certificate authority: whether there is one, and where its file is mounted. */}}

{{- define "armada.ca" -}}
{{- .Values.ca.configMap | default .Values.ca.secret -}}
{{- end }}

{{- define "armada.caFile" -}}
{{- printf "/etc/armada/ca/%s" .Values.ca.key -}}
{{- end }}

{{/* A setting as the text of a variable. */}}
{{- define "armada.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* `name@digest`, or `name:tag` where no digest is named. */}}
{{- define "armada.image" -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag }}{{ end -}}
{{- end }}

{{- define "armada.ownImage" -}}
{{- $image := .Values.image -}}
{{- include "armada.image" (dict "repository" $image.repository "digest" $image.digest "tag" ($image.tag | default .Chart.AppVersion)) -}}
{{- end }}
