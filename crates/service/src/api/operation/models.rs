//! `/mcp`, where language models play; see the crate `wyrmgate-mcp`. Builds without the feature `mcp` have none.

#[cfg(feature = "mcp")]
mod mounted {
    use std::io;
    use std::net::SocketAddr;

    use actix_web::web::{Data, ServiceConfig};
    use wyrmgate_mcp::{Caller, Mcp};

    use crate::api::request::app::App;
    use crate::api::request::caller::CALLER;
    use crate::api::request::client;

    pub type Endpoint = Option<Data<Mcp>>;

    /// Creates the endpoint, unless the operator has switched it off. It ends with the server.
    pub fn endpoint(app: &Data<App>, address: SocketAddr) -> io::Result<Endpoint> {
        if !app.config.mcp {
            return Ok(None);
        }
        let origins = app
            .config
            .allow_origins
            .iter()
            .map(|origin| origin.0.clone());
        let (secret, proxies) = (app.caller_secret.clone(), app.config.proxies);
        let name = move |request: &actix_web::HttpRequest| {
            let client = client::client_of(request.peer_addr(), request.headers(), proxies);
            client.map(|client| secret.on_behalf_of(client::network(client)))
        };
        let caller = Caller {
            header: CALLER,
            name: Box::new(name),
        };
        let mcp = Mcp::new(address, origins, caller).map_err(io::Error::other)?;
        let mcp = Data::new(mcp);
        let (ending, app) = (mcp.clone(), app.clone());
        actix_web::rt::spawn(async move {
            app.shutdown.given().await;
            ending.stop();
        });
        Ok(Some(mcp))
    }

    pub fn register(config: &mut ServiceConfig, endpoint: &Endpoint) {
        wyrmgate_mcp::register(config, endpoint.as_ref());
    }
}

#[cfg(feature = "mcp")]
pub use mounted::{endpoint, register};

#[cfg(not(feature = "mcp"))]
mod absent {
    use std::io;
    use std::net::SocketAddr;

    use actix_web::web::{Data, ServiceConfig};

    use crate::api::request::app::App;

    pub fn endpoint(_: &Data<App>, _: SocketAddr) -> io::Result<()> {
        Ok(())
    }

    pub fn register(_: &mut ServiceConfig, _: &()) {}
}

#[cfg(not(feature = "mcp"))]
pub use absent::{endpoint, register};
