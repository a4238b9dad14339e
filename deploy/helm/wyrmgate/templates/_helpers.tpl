{{- define "wyrmgate.name" -}}
{{- printf "%s-wyrmgate" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "wyrmgate.selector" -}}
app.kubernetes.io/name: wyrmgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{/* A setting as its variable takes it: lists with commas, and large numbers with all digits. */}}
{{- define "wyrmgate.setting" -}}
{{- if kindIs "slice" . }}{{ join "," . }}{{ else if kindIs "float64" . }}{{ int64 . }}{{ else }}{{ toString . }}{{ end -}}
{{- end -}}

{{- define "wyrmgate.labels" -}}
{{ include "wyrmgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
