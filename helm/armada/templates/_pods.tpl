{{/* What all pods have in common. */}}

{{/* Of the pod: (list $ "fleet"). */}}
{{- define "armada.podDefaults" -}}
{{- $ := first . -}}
automountServiceAccountToken: false
# Services of the name would become variables ARMADA_…, which the program does not know and refuses.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with $.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $.Values.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Pods of a part are spread over zones and then over nodes: (list $ "fleet"). */}}
{{- define "armada.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    {{- if and (eq . "kubernetes.io/hostname") (eq (last $) "nats") (gt (int (first $).Values.nats.replicas) 1) }}
    # Each server on a node of its own: what two of three would take with them is all.
    minDomains: {{ (first $).Values.nats.replicas }}
    whenUnsatisfiable: DoNotSchedule
    {{- else }}
    whenUnsatisfiable: ScheduleAnyway
    {{- end }}
    labelSelector:
      matchLabels: {{- include "armada.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}

{{- define "armada.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* What values say, or so much memory, reserved and at most, and a tenth of a core: (list $resources "512Mi"). */}}
{{- define "armada.resources" -}}
resources:
{{- if first . }}
{{- toYaml (first .) | nindent 2 }}
{{- else }}
  requests: { cpu: 100m, memory: {{ last . }} }
  limits: { memory: {{ last . }} }
{{- end }}
{{- end }}

{{- define "armada.caMount" -}}
{{- if include "armada.ca" . }}
- name: ca
  mountPath: /etc/armada/ca
  readOnly: true
{{- end }}
{{- end }}

{{- define "armada.caVolume" -}}
{{- if .Values.ca.configMap }}
- name: ca
  configMap:
    name: {{ .Values.ca.configMap | quote }}
{{- else if .Values.ca.secret }}
- name: ca
  secret:
    secretName: {{ .Values.ca.secret | quote }}
    items:
      - key: {{ .Values.ca.key | quote }}
        path: {{ .Values.ca.key | quote }}
{{- end }}
{{- end }}
