{{/* The configuration of the server. Accounts, users and their rights are those of files/nats-accounts.conf, with the number of
     partitions that values say. */}}
{{- define "armada.natsConf" -}}
# Name, folder and passwords come from the environment; what is missing there keeps the server from starting.
server_name: $NATS_SERVER_NAME
port: 4222
# Health and statistics; never published outside.
http: "0.0.0.0:8222"
pid_file: "/run/nats/nats.pid"
# Ingest itself refuses more than one megabyte, and counts it.
max_payload: 4MB
# A service that stands still is dropped after so long, and what gateways publish goes to the next one.
ping_interval: "5s"
ping_max: 2
# Clients of a server that stops are sent to the others, a few at a time.
lame_duck_duration: "30s"
lame_duck_grace_period: "5s"

jetstream {
  store_dir: $NATS_STORE_DIR
  # What is acknowledged is on disk, whatever happens to the machine a moment later.
  sync_interval: always
  max_memory_store: 64MB
  # About 80 % of the volume: the streams refuse what does not fit, which is better than a full disk.
  max_file_store: {{ .Values.nats.maxFileStore }}
}
{{- if .Values.nats.tls.secret }}

tls {
  cert_file: "/etc/nats/tls/tls.crt"
  key_file: "/etc/nats/tls/tls.key"
}
{{- end }}
{{- if gt (int .Values.nats.replicas) 1 }}

cluster {
  name: {{ include "armada.name" (list . "nats") }}
  port: 6222
  # A server that hangs is noticed within 3 s; by default it takes ten times as long.
  ping_interval: "1s"
  {{- if .Values.nats.gateways.enabled }}
  # The others have addresses of pods, which gateways from elsewhere cannot reach.
  no_advertise: true
  {{- end }}
  authorization { user: route, password: $NATS_ROUTE_PASSWORD, timeout: 5 }
  # The addresses of all servers, with that password.
  routes: $NATS_ROUTES
  {{- if .Values.nats.tls.secret }}
  # Each server shows its certificate to the others, and checks theirs.
  tls {
    cert_file: "/etc/nats/tls/tls.crt"
    key_file: "/etc/nats/tls/tls.key"
    ca_file: {{ include "armada.caFile" . | quote }}
    timeout: 5
  }
  {{- end }}
}
{{- end }}

{{ regexReplaceAll "partition\\(\\d+," (.Files.Get "files/nats-accounts.conf") (printf "partition(%s," (include "armada.partitions" .)) }}
{{- end }}

{{/* The passwords that the configuration names, as JSON. */}}
{{- define "armada.natsPasswords" -}}
{{- $names := list -}}
{{- range regexFindAll "(password|issuer): \\$[A-Z_]+" (.Files.Get "files/nats-accounts.conf") -1 }}
{{- $names = append $names (regexFind "[A-Z_]+$" .) }}
{{- end }}
{{- $names | uniq | sortAlpha | toJson -}}
{{- end }}

{{/* The routes between the servers, as the list that the configuration takes from the environment. */}}
{{- define "armada.natsRoutes" -}}
{{- $routes := list -}}
{{- range until (int .Values.nats.replicas) }}
{{- $routes = append $routes (printf "nats://route:$(NATS_ROUTE_PASSWORD)@%s:6222" (include "armada.natsServer" (list $ .))) }}
{{- end }}
{{- toJson $routes -}}
{{- end }}

{{/* What is done before a server starts. The folder of one that was alone has streams and no group of servers: those of a cluster
     would remove what the group does not know. In the folder of a cluster one that is alone finds no streams, and would make others. */}}
{{- define "armada.natsGuard" -}}
cd /data/jetstream 2>/dev/null || exec nats-server "$@"
{{- if gt (int .Values.nats.replicas) 1 }}
if [ -d ARMADA/streams ] && [ ! -d SYS/_js_/_meta_ ]; then
  echo "These streams are of a server that was alone, and a cluster would remove them. Go back to nats.replicas: 1;" \
{{- else }}
if [ -d SYS/_js_/_meta_ ]; then
  echo "These streams are of a cluster, and a server that is alone does not find them. Go back to several in nats.replicas;" \
{{- end }}
    "docs/OPERATIONS.md, From one NATS server to three, says how to go on." >&2
  exit 1
fi
exec nats-server "$@"
{{- end }}
