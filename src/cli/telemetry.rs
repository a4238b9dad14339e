//! Telemetry of the service: a log on standard error and, in builds with the feature `otel`, spans of all requests for
//! an OpenTelemetry collector.

use std::io;

use tracing::Subscriber;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, fmt};

use super::Stop;
use super::log_line::Named;
use super::setup::is_colored;
use crate::config::{Config, LogFormat};

type BoxedLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// Starts telemetry. Keep the returned value until the service has stopped; dropping it sends what is left.
pub fn start(config: &Config) -> Result<Export, Stop> {
    refuse_unknown_levels(&config.log)?;
    // The client learns that its request cannot be read. Logging it would let strangers fill the log.
    let filter = EnvFilter::try_new(format!("actix_http=off,{}", config.log))
        .map_err(|error| Stop::usage(format!("`--log {}`: {error}", config.log)))?;
    let (export, spans) = Export::start(config.otlp.as_deref())?;
    let log = log_layer(config.log_format).with_filter(filter);
    tracing_subscriber::registry().with(spans).with(log).init();
    Ok(export)
}

const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

/// Refuses a word that is no level: the filter would take it for the name of a module and log nothing else.
pub(super) fn refuse_unknown_levels(filter: &str) -> Result<(), Stop> {
    for part in filter.split(',') {
        let level = part.rsplit('=').next().unwrap_or(part).trim();
        if !LEVELS.contains(&level.to_ascii_lowercase().as_str()) {
            return Err(Stop::usage(format!(
                "`--log {filter}`: `{level}` is no level; write one of {}, or MODULE=LEVEL",
                LEVELS.join(", ")
            )));
        }
    }
    Ok(())
}

fn log_layer<S: Subscriber + for<'a> LookupSpan<'a>>(format: LogFormat) -> BoxedLayer<S> {
    let layer = fmt::layer().with_writer(io::stderr);
    match format {
        LogFormat::Text => {
            let (format, is_json) = (fmt::format().with_ansi(is_colored(&io::stderr())), false);
            layer.event_format(Named { format, is_json }).boxed()
        }
        LogFormat::Json => {
            let (format, is_json) = (fmt::format().json().flatten_event(true), true);
            let layer = layer.fmt_fields(JsonFields::new());
            layer.event_format(Named { format, is_json }).boxed()
        }
    }
}

#[cfg(feature = "otel")]
pub use otel::Export;

#[cfg(feature = "otel")]
mod otel {
    use std::time::Duration;

    use opentelemetry::KeyValue;
    use opentelemetry::trace::TracerProvider as _;
    use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig};
    use opentelemetry_sdk::Resource;
    use opentelemetry_sdk::trace::SdkTracerProvider;
    use tracing::level_filters::LevelFilter;

    use super::{BoxedLayer, Layer, LookupSpan, Stop, Subscriber};

    /// Time limit for sending the last spans. The service stops within three seconds even if the collector is
    /// unreachable.
    const LAST_WORDS: Duration = Duration::from_millis(800);
    const NAME: &str = "wyrmgate";

    /// Sends spans to the collector, if one is configured.
    pub struct Export(Option<SdkTracerProvider>);

    impl Export {
        /// Starts the export. Without a setting, OpenTelemetry's own variables can name the collector.
        pub fn start<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(
            collector: Option<&str>,
        ) -> Result<(Export, Option<BoxedLayer<S>>), Stop> {
            let variables = [
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
            ];
            if collector.is_none() && !variables.iter().any(|name| is_set(name)) {
                return Ok((Export(None), None));
            }
            let exporter = SpanExporter::builder()
                .with_http()
                .with_protocol(Protocol::HttpBinary);
            let exporter = match collector {
                Some(collector) => {
                    let address = collector.trim_end_matches('/');
                    exporter.with_endpoint(format!("{address}/v1/traces"))
                }
                None => exporter,
            };
            let exporter = exporter.build().map_err(|error| {
                Stop::usage(format!(
                    "`--otlp {}`: {error}",
                    collector.unwrap_or_default()
                ))
            })?;
            let provider = SdkTracerProvider::builder()
                .with_batch_exporter(exporter)
                .with_resource(resource())
                .build();
            let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer(NAME));
            let layer = layer.with_filter(LevelFilter::INFO).boxed();
            crate::trace::tell_a_collector();
            Ok((Export(Some(provider)), Some(layer)))
        }
    }

    fn is_set(name: &str) -> bool {
        std::env::var_os(name).is_some_and(|value| !value.is_empty())
    }

    /// Returns the identity of the service. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` can extend it.
    fn resource() -> Resource {
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder().with_attribute(version);
        match is_set("OTEL_SERVICE_NAME") {
            true => resource.build(),
            false => resource.with_service_name(NAME).build(),
        }
    }

    impl Drop for Export {
        fn drop(&mut self) {
            if let Some(provider) = &self.0 {
                // The service has stopped; nobody is left to receive an error about the collector.
                let _ = provider.shutdown_with_timeout(LAST_WORDS);
            }
        }
    }
}

/// Builds without the feature send nothing.
#[cfg(not(feature = "otel"))]
pub struct Export;

#[cfg(not(feature = "otel"))]
impl Export {
    fn start<S: Subscriber>(
        collector: Option<&str>,
    ) -> Result<(Export, Option<BoxedLayer<S>>), Stop> {
        match collector {
            None => Ok((Export, None)),
            Some(_) => Err(Stop::usage(
                "this build cannot send spans; build with `cargo build --features otel` to use `--otlp`",
            )),
        }
    }
}
