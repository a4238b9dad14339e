//! The headings of a rulebook, in the languages that the project speaks.

#[derive(Debug, PartialEq, Eq)]
pub struct Words {
    language: &'static str,
    pub contents: &'static str,
    pub players: &'static str,
    pub board: &'static str,
    pub components: &'static str,
    pub count: &'static str,
    pub component: &'static str,
    pub options: &'static str,
    pub option: &'static str,
    pub values: &'static str,
    pub usual: &'static str,
    pub rules: &'static str,
    pub words: &'static str,
    pub examples: &'static str,
    pub before: &'static str,
    pub added: &'static str,
    pub changed: &'static str,
    pub removed: &'static str,
    pub numbers: &'static str,
    /// `{}` components for each player
    pub each_player: &'static str,
}

static ALL: [Words; 2] = [
    Words {
        language: "en",
        contents: "Contents",
        players: "Players",
        board: "Board",
        components: "Components",
        count: "Count",
        component: "Component",
        options: "Options",
        option: "Option",
        values: "Values",
        usual: "Usual",
        rules: "Rules",
        words: "Words",
        examples: "Examples",
        before: "Before",
        added: "New",
        changed: "Changed",
        removed: "Removed",
        numbers: "Changed numbers",
        each_player: "{} per player",
    },
    Words {
        language: "es",
        contents: "Índice",
        players: "Jugadores",
        board: "Tablero",
        components: "Componentes",
        count: "Cantidad",
        component: "Componente",
        options: "Opciones",
        option: "Opción",
        values: "Valores",
        usual: "Normal",
        rules: "Reglas",
        words: "Palabras",
        examples: "Ejemplos",
        before: "Antes",
        added: "Nuevo",
        changed: "Cambiado",
        removed: "Eliminado",
        numbers: "Números cambiados",
        each_player: "{} por jugador",
    },
];

/// Returns the headings in a language, by its tag; English without a match.
pub fn of(tag: &str) -> &'static Words {
    let primary = tag.split('-').next().unwrap_or(tag);
    let [english, ..] = &ALL;
    let found = ALL.iter().find(|words| words.language == primary);
    found.unwrap_or(english)
}
