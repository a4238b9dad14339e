//! `cargo test --features redis-tls --test store tls`: an encrypted connection, and the certificates that it accepts.

use std::path::Path;
use std::process::Command;

use wyrmgate::store::{StoreError, open};

use crate::server::{Server, free_port};

/// A self-signed certificate for this machine.
fn certificate(folder: &Path) -> [String; 2] {
    let [key, certificate] =
        ["key.pem", "cert.pem"].map(|name| folder.join(name).display().to_string());
    let made = Command::new("openssl")
        .args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
        ])
        .args(["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &key, "-out", &certificate])
        .output()
        .expect("this test needs openssl");
    assert!(made.status.success());
    [key, certificate]
}

#[tokio::test]
async fn an_encrypted_store_works_for_those_who_trust_it() {
    let folder = tempfile::tempdir().unwrap();
    let [key, certificate] = certificate(folder.path());
    let port = free_port();
    let tls_port = port.to_string();
    let options = [
        "--tls-port",
        &tls_port,
        "--tls-cert-file",
        &certificate,
        "--tls-key-file",
        &key,
        "--tls-ca-cert-file",
        &certificate,
        "--tls-auth-clients",
        "no",
    ];
    let _server = Server::start_with(&options);
    let store = open(&format!("rediss://localhost:{port}/?ca={certificate}"))
        .await
        .unwrap();
    crate::cases::a_retried_create_meets_the_first(store.clone()).await;
    crate::cases::a_bell_rings_for_public_commits(store).await;

    let Err(error) = open(&format!("rediss://localhost:{port}/")).await else {
        panic!("trusted a stranger")
    };
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}
