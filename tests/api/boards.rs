//! Pictures: what a caller may see, drawn.

use reqwest::StatusCode;
use serde_json::json;

use super::support::{Server, Session, TOLL, TRADE, refused};

async fn picture(session: &Session<'_>, rest: &str, token: Option<&str>) -> String {
    let answer = session.ask(rest, token).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "image/svg+xml");
    let policy = answer.headers()["content-security-policy"]
        .to_str()
        .unwrap();
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    answer.text().await.unwrap()
}

#[tokio::test]
async fn a_picture_shows_each_caller_what_its_view_shows() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let first = picture(&session, "/board.svg", Some(&tokens[0])).await;
    let second = picture(&session, "/board.svg", Some(&tokens[1])).await;
    let public = picture(&session, "/board.svg", None).await;
    assert!(first.starts_with("<svg ") && first.trim_end().ends_with("</svg>"));
    let cards = |picture: &str| {
        let mut cards: Vec<String> = picture
            .split("class=\"piece\" id=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().to_owned())
            .collect();
        cards.sort();
        cards
    };
    for (number, seen) in [(1, &first), (2, &second)] {
        let view = session.view(&tokens[number - 1]).await;
        let hand = &view["state"]["zones"][format!("hand-{number}")]["components"];
        let hand = hand.as_array().unwrap().iter();
        let mut hand: Vec<String> = hand
            .map(|card| card["id"].as_str().unwrap().into())
            .collect();
        hand.sort();
        assert_eq!(cards(seen), hand);
    }
    assert_ne!(cards(&first), cards(&second));
    assert_eq!(cards(&public), Vec::<String>::new());

    // A public position is the same picture for everybody who owes no decision.
    let (session, tokens) = server.duel(TOLL).await;
    let past = |token| picture(&session, "/board.svg?at=3", token);
    let public = past(None).await;
    let mine = past(Some(tokens[0].as_str())).await;
    let without_seats = |picture: &str| picture.matches("class=\"piece\"").count();
    assert_eq!(without_seats(&mine), without_seats(&public));
}

/// The pixels are those of the picture that the same caller gets, and a second request with their tag gets none.
#[tokio::test]
async fn pixels_show_each_caller_its_picture() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    for token in [Some(tokens[0].as_str()), Some(tokens[1].as_str()), None] {
        let svg = picture(&session, "/board.svg?size=480&theme=dark", token).await;
        let path = "/board.png?size=480&theme=dark";
        let answer = session.ask(path, token).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/png");
        let tag = answer.headers()["etag"].clone();
        let pixels = answer.bytes().await.unwrap();
        assert_eq!(pixels, wyrmgate::picture::png(&svg).unwrap());
        let again = session.ask(path, token).header("if-none-match", tag);
        let again = again.send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }
    for wrong in ["theme=auto", "size=4097", "focus=nowhere"] {
        let path = format!("/board.png?{wrong}");
        let answer = session.ask(&path, None).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{wrong}");
    }
}

/// An animation has a picture after each choice. The last one is what the same caller's pixels are.
#[tokio::test]
async fn an_animation_ends_with_what_each_caller_sees() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let seats = ["open", "open"];
    let waiting = json!({"game": TRADE, "seats": seats});
    let waiting = server.create(waiting).await;
    let first = waiting.ask("/board.gif", None).send().await.unwrap();
    assert_eq!(first.status(), StatusCode::OK);
    session.play_for(2, &tokens, |_| 0).await;
    let mut seen = Vec::new();
    for token in [Some(tokens[0].as_str()), Some(tokens[1].as_str()), None] {
        let path = "/board.gif?size=480&theme=dark";
        let answer = session.ask(path, token).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
        assert_eq!(answer.headers()["content-type"], "image/gif");
        let tag = answer.headers()["etag"].clone();
        let again = session.ask(path, token).header("if-none-match", tag);
        let again = again.send().await.unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
        let film = answer.bytes().await.unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut frames = options.read_info(film.as_ref()).unwrap();
        let (wide, high) = (usize::from(frames.width()), usize::from(frames.height()));
        let mut shown = vec![0; wide * high * 4];
        let mut count = 0;
        while let Some(frame) = frames.read_next_frame().unwrap() {
            let row = usize::from(frame.width) * 4;
            for (y, pixels) in frame.buffer.chunks(row).enumerate() {
                let from = ((usize::from(frame.top) + y) * wide + usize::from(frame.left)) * 4;
                shown[from..from + row].copy_from_slice(pixels);
            }
            count += 1;
        }
        assert!(count > 1, "{count}");
        let last = session.version().await;
        let path = format!("/board.png?size=480&theme=dark&at={last}");
        let still = session.ask(&path, token).send().await.unwrap();
        let still = still.bytes().await.unwrap();
        let still = resvg::tiny_skia::Pixmap::decode_png(&still).unwrap();
        assert_eq!(still.width() as usize, wide);
        let pairs = still.data().iter().zip(&shown);
        let away: u64 = pairs
            .map(|(one, other)| u64::from(one.abs_diff(*other)))
            .sum();
        assert!(away < still.data().len() as u64, "{away}");
        seen.push(film);
    }
    assert!(seen[0] != seen[1] && seen[1] != seen[2]);
    for wrong in ["theme=auto", "size=801", "at=1"] {
        let path = format!("/board.gif?{wrong}");
        let answer = session.ask(&path, None).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{wrong}");
    }
}

/// The picture contains every choice of the viewer who decides, and none for anybody else.
#[tokio::test]
async fn a_picture_carries_the_choices_of_its_viewer() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    for token in &tokens {
        let drawn = picture(&session, "/board.svg", Some(token)).await;
        let rest = "/view?include=actions";
        let answer = session.ask(rest, Some(token)).send().await.unwrap();
        let view: serde_json::Value = answer.json().await.unwrap();
        let decisions = view["decisions"].as_array().unwrap();
        for choice in decisions
            .iter()
            .flat_map(|decision| decision["choices"].as_array().unwrap())
        {
            let id = choice["id"].as_str().unwrap();
            let is_there = drawn.contains(&format!("id=\"{id}\""))
                || drawn
                    .split('"')
                    .any(|part| part.split(' ').any(|word| word == id));
            assert!(is_there, "{id} is missing in {drawn}");
        }
        assert_eq!(drawn.contains("data-choices"), !decisions.is_empty());
    }
    let public = picture(&session, "/board.svg", None).await;
    assert!(!public.contains("data-choices"));
}

#[tokio::test]
async fn a_picture_has_a_size_colors_and_a_part() {
    let server = Server::start().await;
    let (session, tokens) = server.duel(TRADE).await;
    let token = Some(tokens[0].as_str());
    let small = picture(&session, "/board.svg?size=500&theme=dark", token).await;
    assert!(small.contains("width=\"500\""), "{small}");
    assert_ne!(small, picture(&session, "/board.svg?size=500", token).await);
    let hand = picture(&session, "/board.svg?focus=hand-1", token).await;
    assert!(hand.contains("id=\"hand-1\"") && !hand.contains("id=\"hand-2\""));
    refused(
        session.ask("/board.svg?focus=nowhere", token),
        404,
        "not-found",
    )
    .await;
    for wrong in ["size=9", "size=9999", "theme=blue", "wide=9"] {
        refused(
            session.ask(&format!("/board.svg?{wrong}"), token),
            400,
            "malformed",
        )
        .await;
    }
    let answer = session
        .ask("/board.txt?size=60", token)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let text = answer.text().await.unwrap();
    assert!(
        text.lines().all(|line| line.chars().count() <= 60),
        "{text}"
    );
    assert!(text.contains("Hand"), "{text}");
    refused(session.ask("/board.txt?size=9", token), 400, "malformed").await;
}

#[tokio::test]
async fn a_picture_has_a_tag_a_past_and_nothing_but_its_form() {
    let server = Server::start().await;
    let (session, [first, _]) = server.duel(TOLL).await;
    let before = picture(&session, "/board.svg", None).await;
    let answer = session.ask("/board.svg", None).send().await.unwrap();
    let tag = answer.headers()["etag"].clone();
    session.move_by(&first, json!({"id": "3.1.1"})).await;
    let again = session.ask("/board.svg", None).header("if-none-match", tag);
    assert_eq!(again.send().await.unwrap().status(), StatusCode::OK);
    assert_ne!(picture(&session, "/board.svg", None).await, before);
    assert_eq!(picture(&session, "/board.svg?at=3", None).await, before);
    let answer = session.ask("/board.svg", None).send().await.unwrap();
    let tag = answer.headers()["etag"].clone();
    let same = session.ask("/board.svg", None).header("if-none-match", tag);
    assert_eq!(
        same.send().await.unwrap().status(),
        StatusCode::NOT_MODIFIED
    );
    // Before the game begins the table is empty, but there is one.
    picture(&session, "/board.svg?at=1", None).await;
    refused(session.ask("/board.svg?at=9", None), 404, "not-found").await;
    refused(session.ask("/board.svg?size=9", None), 400, "malformed").await;
}
