{{- /* What components.yaml has, with what values.yaml says of each. */}}
{{- define "components" -}}
{{ merge (.Files.Get "components.yaml" | fromYaml) .Values.components | toYaml }}
{{- end }}

{{- define "labels" -}}
{ app.kubernetes.io/name: travel-booking, app.kubernetes.io/component: {{ . }} }
{{- end }}

{{- /* The name of a Service in full: nginx knows no search list. */}}
{{- define "host" -}}
{{ index . 0 }}.{{ (index . 1).Release.Namespace }}.svc.{{ (index . 1).Values.dns.domain }}
{{- end }}

{{- /* Of a NetworkPolicy: the pods of a component, and ports. */}}
{{- define "peer" -}}
{ podSelector: { matchLabels: {{ include "labels" . }} } }
{{- end }}
{{- define "ports" -}}
[{{ range $index, $port := . }}{{ if $index }}, {{ end }}{ port: {{ $port }} }{{ end }}]
{{- end }}
