{{/* The beginning of a NetworkPolicy for some parts: (list $ "purpose" (list "fleet" "identity")). */}}
{{- define "armada.policy" -}}
{{- $ := first . -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "armada.name" (list $ (index . 1)) }}
  labels: {{- include "armada.labels" (list $ "network") | nindent 4 }}
spec:
  podSelector: {{- include "armada.pods" (list $ (last .)) | nindent 4 }}
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
{{- if or (get $facts (last $)) (get $tuning (last $)) }}
{{- $parts = append $parts $name }}
{{- end }}
{{- end }}
{{- toJson $parts -}}
{{- end }}
