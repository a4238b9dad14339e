//! The headings of a rulebook, in the languages that the project speaks.

use crate::interface_words;

interface_words! {
    contents: "Contents", "Índice";
    players: "Players", "Jugadores";
    board: "Board", "Tablero";
    components: "Components", "Componentes";
    count: "Count", "Cantidad";
    component: "Component", "Componente";
    options: "Options", "Opciones";
    option: "Option", "Opción";
    values: "Values", "Valores";
    usual: "Usual", "Normal";
    rules: "Rules", "Reglas";
    words: "Words", "Palabras";
    examples: "Examples", "Ejemplos";
    before: "Before", "Antes";
    added: "New", "Nuevo";
    changed: "Changed", "Cambiado";
    removed: "Removed", "Eliminado";
    numbers: "Changed numbers", "Números cambiados";
    /// `{}` components for each player
    each_player: "{} per player", "{} por jugador";
}
