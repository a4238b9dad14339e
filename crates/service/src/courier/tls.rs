//! Encryption, in builds with the feature `tls`.

/// Whose certificates count.
#[derive(Debug, Clone, Default)]
pub enum Trust {
    /// Those of the system; `SSL_CERT_FILE` and `SSL_CERT_DIR` name others.
    #[default]
    System,
    /// The ones in this text (PEM), and no others.
    Pem(String),
}

/// Why there is no encryption.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TrustError {
    #[error("no certificates to trust: {0}")]
    Certificates(String),
    #[error("this build cannot encrypt: build it with the feature `tls`")]
    #[cfg(not(feature = "tls"))]
    NoTls,
}

#[cfg(feature = "tls")]
mod rustls_client {
    use std::io;
    use std::sync::Arc;

    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, ServerName};
    use rustls::{ClientConfig, RootCertStore, crypto::ring};
    use tokio_rustls::TlsConnector;

    use super::super::connect::BoxedStream;
    use super::{Trust, TrustError};

    /// Encrypts connections to those whose certificate is in order.
    pub struct Encryption(TlsConnector);

    impl Encryption {
        pub fn new(trust: &Trust) -> Result<Encryption, TrustError> {
            let mut roots = RootCertStore::empty();
            match trust {
                Trust::System => {
                    let found = rustls_native_certs::load_native_certs();
                    roots.add_parsable_certificates(found.certs);
                }
                Trust::Pem(text) => {
                    let read = CertificateDer::pem_slice_iter(text.as_bytes());
                    roots.add_parsable_certificates(read.filter_map(Result::ok));
                }
            }
            if roots.is_empty() {
                let none = "the system has none; `SSL_CERT_FILE` can name a file of them";
                return Err(TrustError::Certificates(none.to_owned()));
            }
            let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()
                .map_err(|error| TrustError::Certificates(error.to_string()))?
                .with_root_certificates(roots)
                .with_no_client_auth();
            Ok(Encryption(TlsConnector::from(Arc::new(config))))
        }

        /// The host must be named in the certificate.
        pub async fn encrypt(&self, stream: BoxedStream, host: &str) -> io::Result<BoxedStream> {
            let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
            Ok(Box::new(self.0.connect(name, stream).await?))
        }
    }
}

#[cfg(feature = "tls")]
pub(super) use rustls_client::Encryption;

#[cfg(not(feature = "tls"))]
mod no_client {
    use std::io;

    use super::super::connect::BoxedStream;
    use super::{Trust, TrustError};

    /// Builds without the feature send nothing encrypted.
    pub struct Encryption;

    impl Encryption {
        pub fn new(_: &Trust) -> Result<Encryption, TrustError> {
            Err(TrustError::NoTls)
        }

        pub async fn encrypt(&self, _: BoxedStream, _: &str) -> io::Result<BoxedStream> {
            Err(io::Error::other("no encryption in this build"))
        }
    }
}

#[cfg(not(feature = "tls"))]
pub(super) use no_client::Encryption;
