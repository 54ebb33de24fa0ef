{{/* The pod of `armada migrate` and of the tools: the only one that is told the owner of the tables and the operator of NATS. */}}

{{- define "armada.migrateVariables" -}}
{{- $migrate := get (.Files.Get "files/services.yaml" | fromYaml) "migrate" -}}
{{ include "armada.everywhere" . }}
{{- include "armada.settings" (list . $migrate.settings) }}
{{- end }}

{{/* (list $ $configMap $args) */}}
{{- define "armada.migratePod" -}}
{{- $ := first . -}}
{{- $migrate := get ($.Files.Get "files/services.yaml" | fromYaml) "migrate" -}}
{{- include "armada.podDefaults" (list $ "migrate") }}
restartPolicy: OnFailure
terminationGracePeriodSeconds: 60
containers:
  - name: armada
    image: {{ include "armada.ownImage" $ | quote }}
    imagePullPolicy: {{ $.Values.image.pullPolicy }}
    args: {{ toJson (last .) }}
    {{- include "armada.containerSecurity" $ | nindent 4 }}
    envFrom:
      - configMapRef:
          name: {{ index . 1 }}
    env:
      {{- include "armada.fromSecret" (list $ "DATABASE_PASSWORD" "ARMADA_APP_PASSWORD" false) | nindent 6 }}
      - name: DATABASE_URL
        value: {{ include "armada.databaseUrl" (list $ "armada_app" "DATABASE_PASSWORD") | quote }}
      {{- include "armada.fromSecret" (list $ "DATABASE_OWNER_PASSWORD" "ARMADA_OWNER_PASSWORD" false) | nindent 6 }}
      - name: DATABASE_OWNER_URL
        value: {{ include "armada.databaseUrl" (list $ "armada_owner" "DATABASE_OWNER_PASSWORD") | quote }}
      {{- include "armada.natsLogins" (list $ (include "armada.operatorLogins" false | fromJsonArray)) | trim | nindent 6 }}
      {{- include "armada.allServiceSecrets" $ | trim | nindent 6 }}
      {{- include "armada.secretSettings" (list $ $migrate.secrets) | trim | nindent 6 }}
    {{- include "armada.resources" (list $.Values.migrate.resources "256Mi") | nindent 4 }}
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      {{- with include "armada.caMount" $ | trim }}
      {{- nindent 6 . }}
      {{- end }}
volumes:
  - name: tmp
    emptyDir: { medium: Memory, sizeLimit: 64Mi }
  {{- with include "armada.caVolume" $ | trim }}
  {{- nindent 2 . }}
  {{- end }}
{{- end }}

{{/* Before everything else, in the order of weights. */}}
{{- define "armada.hook" -}}
annotations:
  helm.sh/hook: pre-install,pre-upgrade
  helm.sh/hook-weight: {{ . | quote }}
  helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{/* What a hook needs is one too: the ConfigMap of the tools belongs to the release, which is not there yet. */}}
{{- define "armada.migrateConfigMap" -}}
{{- include "armada.name" (list . (ternary "migrate-hook" "migrate" .Values.migrate.hook)) -}}
{{- end }}
