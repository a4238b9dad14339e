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
};

/** Returns words in the language of the page, with `{0}`, `{1}` filled. */
export function say(name, ...about) {
  const words = (language.value.startsWith("es") ? SPANISH : ENGLISH)[name] ?? ENGLISH[name];
  return words.replace(/\{(\d)\}/g, (_, number) => String(about[number]));
}
