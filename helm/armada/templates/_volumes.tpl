{{/* What services keep on disks: files of documents, street maps, and everything on SQLite. */}}

{{/* Where they are mounted: (list $ $facts). */}}
{{- define "armada.volumeMounts" -}}
{{- $ := first . -}}
{{- $facts := last . -}}
{{- if $facts.http }}
# Files that are taken in wait there until they are whole.
- { name: tmp, mountPath: /tmp }
{{- end }}
{{- if $facts.together }}
- { name: data, mountPath: /var/lib/armada }
{{- end }}
{{- if include "armada.filesVolume" . }}
- { name: files, mountPath: /files }
{{- end }}
{{- if and $facts.http $.Values.maps.enabled }}
- { name: maps, mountPath: /maps }
{{- if $.Values.maps.existingClaim }}
- { name: map-files, mountPath: /maps/maps, readOnly: true }
{{- end }}
{{- end }}
{{- include "armada.caMount" $ }}
{{- end }}

{{/* (list $ "fleet" $facts) */}}
{{- define "armada.volumes" -}}
{{- $ := first . -}}
{{- $facts := last . -}}
{{- if $facts.http }}
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: 256Mi }
{{- end }}
{{- if $facts.together }}
- name: data
  persistentVolumeClaim:
    claimName: {{ $.Values.database.sqlite.existingClaim | default (include "armada.name" (list $ "data")) | quote }}
{{- end }}
{{- if include "armada.filesVolume" (list $ $facts) }}
- name: files
  persistentVolumeClaim:
    claimName: {{ $.Values.files.existingClaim | default (include "armada.name" (list $ "files")) | quote }}
{{- end }}
{{- if and $facts.http $.Values.maps.enabled }}
# A cache: what is lost is fetched again.
- name: maps
  emptyDir: { sizeLimit: {{ $.Values.maps.cacheSize }} }
{{- if $.Values.maps.existingClaim }}
- name: map-files
  persistentVolumeClaim:
    claimName: {{ $.Values.maps.existingClaim | quote }}
    readOnly: true
{{- end }}
{{- end }}
{{- include "armada.caVolume" $ }}
{{- end }}

{{/* A claim that stays when the release goes: (list $ "files" $volume "ReadWriteOnce"). */}}
{{- define "armada.claim" -}}
{{- $ := first . -}}
{{- $volume := index . 2 -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ include "armada.name" (list $ (index . 1)) }}
  labels: {{- include "armada.labels" (list $ (index . 1)) | nindent 4 }}
  annotations:
    helm.sh/resource-policy: keep
spec:
  accessModes: [{{ last . }}]
  {{- with $volume.storageClass }}
  storageClassName: {{ . | quote }}
  {{- end }}
  resources:
    requests:
      storage: {{ $volume.size }}
{{- end }}
