//! Answers one model: which tools, resources and prompts there are, and calls to them.

use std::borrow::Cow;
use std::sync::Arc;

use hyper::header::HeaderName;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use tokio::io::{stdin, stdout};

use super::client::Api;
use super::desk::ModelDesk;
use super::tables::HeldSeats;
use super::{client, prompts, resources, tools};

const INSTRUCTIONS: &str = "\
Board and card games with people, bots and other models. `games` lists them; `rules` explains one. To play: `new_table` \
(or `join` with the id of somebody's table), then `move` until the game is over, and `wait` when told. Positions list your \
choices, each with its number (#7); only these are legal. ▶ marks who has to choose, * what changed last, ? what you may not \
see, (3) how many lie there.";

/// Serves one model. It keeps the tokens of the model's seats.
pub struct Handler {
    api: Api,
    /// The headers of the model's requests that calls of the API repeat.
    repeated: Arc<[HeaderName]>,
    tables: HeldSeats,
}

impl Handler {
    pub fn new(api: Api, repeated: Arc<[HeaderName]>) -> Handler {
        Handler {
            api,
            repeated,
            tables: HeldSeats::default(),
        }
    }

    /// Returns the API as the sender of a request may use it.
    fn desk(&self, context: &RequestContext<RoleServer>) -> ModelDesk<'_> {
        let head = context.extensions.get::<hyper::http::request::Parts>();
        ModelDesk {
            api: match head {
                Some(head) => client::on_behalf_of(&self.api, &head.headers, &self.repeated),
                None => self.api.clone(),
            },
            tables: &self.tables,
        }
    }
}

/// Serves a model over standard input and output until it leaves. The error says why it could not begin.
pub async fn serve(api: Api) -> Result<(), String> {
    let handler = Handler::new(api, Arc::default());
    let running = handler.serve((stdin(), stdout())).await;
    let running = running.map_err(|error| error.to_string())?;
    running.waiting().await.map_err(|error| error.to_string())?;
    Ok(())
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        info.server_info = Implementation::new("wyrmgate", env!("CARGO_PKG_VERSION"));
        info
    }

    /// Returns the versions with sessions: a seat belongs to one model, and later versions cannot tell models apart.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        let last = ProtocolVersion::LATEST_WITH_INITIALIZE;
        Cow::Borrowed(ProtocolVersion::known_up_to(&last))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::definitions()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::definitions()
            .into_iter()
            .find(|tool| tool.name == name)
    }

    /// Calls a tool. Errors that the model can correct are results of the tool.
    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let result = match tools::problem_with(&request.name, &arguments) {
            Some(problem) => Err(problem),
            None => self.desk(&context).call(&request.name, &arguments).await,
        };
        let result = match result {
            Ok(content) => CallToolResult::success(content),
            Err(problem) => CallToolResult::error(vec![ContentBlock::text(problem)]),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = resources::list(&self.desk(&context).api).await;
        let listed = listed.map_err(|problem| ErrorData::internal_error(problem, None))?;
        Ok(ListResourcesResult::with_all_items(listed))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(
            resources::templates(),
        ))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = resources::read(&self.desk(&context), &request.uri).await;
        let read = read.map_err(|problem| ErrorData::resource_not_found(problem, None))?;
        Ok(read.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let prompt = prompts::get(&request.name, &arguments);
        let prompt = prompt.map_err(|problem| ErrorData::invalid_params(problem, None))?;
        Ok(prompt.into())
    }
}
