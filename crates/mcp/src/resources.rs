//! Resources: the rules of each game, their clauses, and pictures of the tables at which the model sits.

use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;

use super::client::{Api, ApiRequest};
use super::desk::ModelDesk;
use super::picture::PictureForm;

const SCHEME: &str = "wyrmgate://";

pub async fn list(api: &Api) -> Result<Vec<Resource>, String> {
    let games = api
        .call(ApiRequest::get(
            "/v1/games?limit=100&fields=items.name,items.title",
        ))
        .await?
        .json()?;
    let games = games
        .get("items")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let resource = |game: &Value| {
        let text = |name: &str| game.get(name).and_then(Value::as_str);
        let (name, title) = (text("name")?, text("title").unwrap_or_default());
        let uri = format!("{SCHEME}games/{name}/rules");
        Some(
            Resource::new(uri, format!("{name}-rules"))
                .with_title(format!("Rules of {title}"))
                .with_mime_type("text/plain"),
        )
    };
    Ok(games.iter().filter_map(resource).collect())
}

pub fn templates() -> Vec<ResourceTemplate> {
    let template = |path: &str, name: &str, about: &str, media: &str| {
        ResourceTemplate::new(format!("{SCHEME}{path}"), name)
            .with_description(about)
            .with_mime_type(media)
    };
    let mut templates = vec![
        template(
            "games/{game}/rules",
            "rules",
            "All clauses of a game",
            "text/plain",
        ),
        template(
            "games/{game}/clauses/{clause}",
            "clause",
            "One clause of a game",
            "text/plain",
        ),
    ];
    templates.extend(PictureForm::ALL.map(|form| {
        let path = format!("tables/{{table}}/{}", form.file_name());
        template(
            &path,
            form.file_name(),
            form.description(),
            form.media_type(),
        )
    }));
    templates
}

pub async fn read(desk: &ModelDesk<'_>, uri: &str) -> Result<ReadResourceResult, String> {
    let path: Vec<&str> = uri
        .strip_prefix(SCHEME)
        .unwrap_or_default()
        .split('/')
        .collect();
    let (text, media) = match path[..] {
        ["games", game, "rules"] => (desk.rules(game, None, "", usize::MAX).await?, "text/plain"),
        ["games", game, "clauses", clause] => (
            desk.rules(game, None, clause, usize::MAX).await?,
            "text/plain",
        ),
        ["tables", table, name] => return picture(desk, table, name, uri).await,
        _ => return Err(unknown(uri)),
    };
    let contents = ResourceContents::text(text, uri).with_mime_type(media);
    Ok(ReadResourceResult::new(vec![contents]))
}

async fn picture(
    desk: &ModelDesk<'_>,
    table: &str,
    name: &str,
    uri: &str,
) -> Result<ReadResourceResult, String> {
    let form = PictureForm::ALL
        .into_iter()
        .find(|form| form.file_name() == name);
    let form = form.ok_or_else(|| unknown(uri))?;
    let picture = desk.picture(table, None, form).await?;
    Ok(ReadResourceResult::new(vec![form.contents(&picture, uri)]))
}

fn unknown(uri: &str) -> String {
    format!("there is no resource `{uri}`; see the list and the templates")
}
