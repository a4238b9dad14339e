//! Fresh stores for tests, each with the resources that must outlive it.

use std::any::Any;
use std::sync::Arc;

use wyrmgate::store::{self, Store};

use crate::server::Server;

/// A store and its folder or server, which is removed when the test ends.
pub struct Engine {
    pub store: Arc<dyn Store>,
    _keeper: Box<dyn Any>,
}

pub async fn memory() -> Engine {
    Engine {
        store: store::open("memory").await.unwrap(),
        _keeper: Box::new(()),
    }
}

pub async fn embedded() -> Engine {
    let folder = tempfile::tempdir().unwrap();
    let spec = format!("embedded:{}", folder.path().join("wyrmgate.redb").display());
    Engine {
        store: store::open(&spec).await.unwrap(),
        _keeper: Box::new(folder),
    }
}

pub async fn redis() -> Engine {
    let server = Server::start();
    Engine {
        store: store::open(&server.url()).await.unwrap(),
        _keeper: Box::new(server),
    }
}
