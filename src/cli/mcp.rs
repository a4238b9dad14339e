//! `wyrmgate mcp`: lets a language model play, over standard input and output (Model Context Protocol).

use std::path::PathBuf;

use super::{Stop, Verdict};
use crate::api;
use crate::config::Config;
use crate::mcp::{self, Api};

const EXAMPLES: &str = "\
Examples:
  wyrmgate mcp
  wyrmgate mcp --rules my-rules
  wyrmgate mcp --server https://play.example.org
  WYRMGATE_KEY=wg_key_… wyrmgate mcp --server http://127.0.0.1:8080

A client for language models runs this command, see docs/language-models.md. Without --server it plays in a server of its \
own, which nobody else can reach and which forgets everything when the model leaves. Standard output belongs to the \
protocol.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Server to play on [default: one of its own]
    #[arg(long, env = "WYRMGATE_SERVER", value_name = "URL", conflicts_with_all = ["rules", "store"])]
    server: Option<String>,
    /// Operator key, if the server requires one to create tables
    #[arg(
        long,
        env = "WYRMGATE_KEY",
        value_name = "KEY",
        hide_env_values = true,
        requires = "server"
    )]
    key: Option<String>,
    /// Folder of rules of the own server, one folder per game [default: rules]
    #[arg(long, env = "WYRMGATE_RULES", value_name = "DIR")]
    rules: Option<PathBuf>,
    /// Store of the own server, such as `embedded:games.redb` [default: memory]
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
}

pub fn run(args: Args) -> Result<Verdict, Stop> {
    actix_web::rt::System::new().block_on(async {
        match &args.server {
            Some(server) => {
                let api = Api::at(server, args.key.as_deref()).map_err(Stop::usage)?;
                serve(api).await?;
            }
            None => beside_own_server(&args).await?,
        }
        Ok(Verdict::Good)
    })
}

async fn serve(api: Api) -> Result<(), Stop> {
    let served = mcp::serve(api).await;
    served.map_err(Stop::Failure)
}

/// Starts a server on a free port of this machine and plays there.
async fn beside_own_server(args: &Args) -> Result<(), Stop> {
    let default = Config::default();
    let config = Config {
        listen: "127.0.0.1:0".into(),
        rules: args.rules.clone().unwrap_or(default.rules.clone()),
        store: args.store.clone().unwrap_or("memory".into()),
        workers: 1,
        mcp: false,
        ..default
    };
    let running = api::start(config).await.map_err(Stop::failure)?;
    for broken in &running.broken {
        complain!("warning: `{}` has errors and is not available", broken.name);
    }
    let api = Api::at(&format!("http://{}", running.address), None).map_err(Stop::failure)?;
    let stopper = running.stopper();
    let server = actix_web::rt::spawn(running.run());
    let served = serve(api).await;
    stopper.stop().await;
    // The model has left; how the server ended does not matter any more.
    let _ = server.await;
    served
}
