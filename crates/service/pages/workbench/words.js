// The words of the workbench, in the languages that the project speaks.

import { language } from "../api.js";

const ENGLISH = {
  workbench: "Workbench", start: "What do you want to change?", houseRule: "House rule for {0}", whole: "All files of {0}",
  own: "A game of your own", files: "Files", newFile: "New file", name: "Name of the file", remove: "Remove {0}",
  checking: "Checking …", valid: "No errors", invalid: "Errors: {0}", warnings: "Warnings: {0}", table: "Table",
  scenarios: "Scenarios", studies: "Studies", download: "Download as a folder", link: "Copy a link to these rules",
  copied: "Copied.", tooLong: "These rules are too long for a link. Download them instead.", restart: "Begin again",
  newGame: "New seed", seats: "Seats", replayed: "{0} of {1} choices still apply.", plays: "You play {0}",
  waits: "The table opens as soon as the rules have no errors.", key: "API key of this server",
  keyNeeded: "This server takes rules only with an API key.", offer: "Save the key and check",
  impact: "Compare with the original",
  audit: "Audit: random games with every option", stop: "Stop", gamesOf: "{0} of {1} games", numbers: "In numbers",
  charts: "Charts", unreached: "No scenario that passes reaches this line.", running: "Playing …",
  noScenarios: "There is no file with scenarios here. Its name ends with scenarios.yaml.",
  passed: "passed", failed: "failed", problems: "Problems",
  leave: "Start with something else", line: "line {0}", back: "Games",
  debugger: "Debugger", debugs: "Play", debug: "Record and debug", thisGame: "The game at the table", randomGame: "A random game",
  continue: "Go on", next: "Over", stepIn: "Into", stepOut: "Out", stepBack: "Back", reverseContinue: "All the way back",
  step: "Stopped.", breakpoint: "Stopped at a breakpoint.", entry: "At the first statement.", end: "At the end:",
  isOld: "The rules have changed since this game was recorded.", marks: "Breakpoints", onlyIf: "only if", stops: "Breakpoint",
  noMarks: "Click beside a line number, or press F9 in a line, to stop there.", stopsIf: "Breakpoint, only if {0}",
  stack: "Effects that run", names: "Names", expressions: "Expressions", expression: "Expression", why: "Why is a choice offered, or not?",
  works: "Your works", goOn: "Go on", sure: "Remove {0} for good?", older: "The rules have errors: this table plays them as they were before.",
  base: "Original", change: "change this", changes: "change this: {0}",
  choice: "Choice", ask: "Why?", seat: "Seat {0}", console: "Events", rules: "Rules",
};

const SPANISH = {
  workbench: "Taller", start: "¿Qué quieres cambiar?", houseRule: "Regla de la casa para {0}", whole: "Todos los archivos de {0}",
  own: "Un juego propio", files: "Archivos", newFile: "Archivo nuevo", name: "Nombre del archivo", remove: "Quitar {0}",
  checking: "Comprobando …", valid: "Sin errores", invalid: "Errores: {0}", warnings: "Avisos: {0}", table: "Mesa",
  scenarios: "Escenarios", studies: "Estudios", download: "Descargar como carpeta", link: "Copiar un enlace a estas reglas",
  copied: "Copiado.", tooLong: "Estas reglas son demasiado largas para un enlace. Descárgalas.", restart: "Empezar de nuevo",
  newGame: "Otra semilla", seats: "Asientos", replayed: "{0} de {1} elecciones siguen valiendo.", plays: "Juegas {0}",
  waits: "La mesa se abre en cuanto las reglas no tienen errores.", key: "Clave de la API de este servidor",
  keyNeeded: "Este servidor solo acepta reglas con una clave de la API.", offer: "Guardar la clave y comprobar",
  impact: "Comparar con el original",
  audit: "Examen: partidas al azar con todas las opciones", stop: "Parar", gamesOf: "{0} de {1} partidas", numbers: "En números",
  charts: "Gráficos", unreached: "Ningún escenario que pasa llega a esta línea.", running: "Jugando …",
  noScenarios: "No hay ningún archivo de escenarios. Su nombre acaba en scenarios.yaml.",
  passed: "bien", failed: "mal", problems: "Problemas",
  leave: "Empezar con otra cosa", line: "línea {0}", back: "Juegos",
  debugger: "Depurador", debugs: "Jugar", debug: "Grabar y depurar", thisGame: "La partida de la mesa", randomGame: "Una partida al azar",
  continue: "Seguir", next: "Por encima", stepIn: "Dentro", stepOut: "Fuera", stepBack: "Atrás", reverseContinue: "Hasta el principio",
  step: "Parado.", breakpoint: "Parado en un punto de interrupción.", entry: "En la primera instrucción.", end: "Al final:",
  isOld: "Las reglas han cambiado desde que se grabó esta partida.", marks: "Puntos de interrupción", onlyIf: "solo si",
  stops: "Punto de interrupción", stopsIf: "Punto de interrupción, solo si {0}",
  noMarks: "Haz clic junto a un número de línea, o pulsa F9 en una línea, para parar ahí.",
  stack: "Efectos en marcha", names: "Nombres", expressions: "Expresiones", expression: "Expresión", why: "¿Por qué se ofrece una elección, o no?",
  works: "Tus trabajos", goOn: "Seguir", sure: "¿Quitar {0} para siempre?", older: "Las reglas tienen errores: esta mesa las juega como eran antes.",
  base: "Original", change: "cambiar esto", changes: "cambiar esto: {0}",
  choice: "Elección", ask: "¿Por qué?", seat: "Asiento {0}", console: "Sucesos", rules: "Reglas",
};

/** Returns words in the language of the page, with `{0}`, `{1}` filled. */
export function say(name, ...about) {
  const words = (language.value.startsWith("es") ? SPANISH : ENGLISH)[name] ?? ENGLISH[name];
  return words.replace(/\{(\d)\}/g, (_, number) => String(about[number]));
}
