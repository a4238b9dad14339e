{{- define "wyrmgate.name" -}}
{{- printf "%s-wyrmgate" .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "wyrmgate.selector" -}}
app.kubernetes.io/name: wyrmgate
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "wyrmgate.labels" -}}
{{ include "wyrmgate.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
