use wyrmgate::diagnostic::Sources;
use wyrmgate::lang::load;

#[test]
fn tour() {
    let text = std::fs::read_to_string("tests/fixtures/lang/good_tour.yaml").unwrap();
    let mut sources = Sources::default();
    let (definition, report) = load(&mut sources, &[("game.yaml".into(), text)], "game.yaml");
    println!("{}", report.render(&sources, false));
    println!("{:#?}", definition.as_ref().map(|d| &d.effects));
    assert!(definition.is_some() && report.diagnostics.is_empty());
}
