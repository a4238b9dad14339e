//! TLS, in builds with the feature `tls`.

/// The trusted certificates.
#[derive(Debug, Clone, Default)]
pub enum Trust {
    /// The system's certificates, or those in `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    #[default]
    System,
    /// Only the certificates in this text (PEM).
    Pem(String),
}

/// Why TLS is unavailable.
#[derive(Debug, Clone, thiserror::Error)]
pub enum TrustError {
    #[error("no trusted certificates: {0}")]
    Certificates(String),
    #[error("this build has no TLS; build it with the feature `tls`")]
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

    /// Encrypts connections after verifying the server's certificate.
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
                let none = "the system has none; set `SSL_CERT_FILE` to a file with certificates";
                return Err(TrustError::Certificates(none.to_owned()));
            }
            let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_safe_default_protocol_versions()
                .map_err(|error| TrustError::Certificates(error.to_string()))?
                .with_root_certificates(roots)
                .with_no_client_auth();
            Ok(Encryption(TlsConnector::from(Arc::new(config))))
        }

        /// Performs a TLS handshake. The certificate must be valid for the host.
        pub async fn encrypt(&self, stream: BoxedStream, host: &str) -> io::Result<BoxedStream> {
            let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
            Ok(Box::new(self.0.connect(name, stream).await?))
        }
    }
}

#[cfg(feature = "tls")]
pub use rustls_client::Encryption;

#[cfg(not(feature = "tls"))]
mod no_client {
    use std::io;

    use super::super::connect::BoxedStream;
    use super::{Trust, TrustError};

    /// Builds without the feature cannot send anything over TLS.
    pub struct NoEncryption;

    impl NoEncryption {
        pub fn new(_: &Trust) -> Result<NoEncryption, TrustError> {
            Err(TrustError::NoTls)
        }

        pub async fn encrypt(&self, _: BoxedStream, _: &str) -> io::Result<BoxedStream> {
            Err(io::Error::other("this build has no TLS"))
        }
    }
}

#[cfg(not(feature = "tls"))]
pub use no_client::NoEncryption as Encryption;
