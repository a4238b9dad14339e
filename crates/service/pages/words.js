// The words of the page itself, in the languages that the project speaks. Texts of games come from the server.

import { language } from "./api.js";

const ENGLISH = {
  lobby: "Games", tables: "Open tables", mine: "Your games", rules: "Rules", play: "Play",
  players: "players", seats: "Seats", anyGame: "Any game", waiting: "Waiting for players",
  running: "Being played", finished: "Finished", noTables: "No tables here yet.", search: "Find a game", join: "Join",
  watch: "Watch", open: "Open", yourName: "Your name", language: "Language", me: "You", human: "Open to anyone",
  "default": "Bot: takes the default", "random": "Bot: easy", greedy: "Bot: medium", "search-1": "Bot: strong, quick", "search-2": "Bot: strong",
  "search-3": "Bot: strongest", variant: "Variant", standard: "Standard rules", options: "Options", clock: "Clock",
  perDecision: "Per decision", perGame: "Per player and game", increment: "Added after each decision",
  seconds: "seconds", minutes: "minutes", private: "Private: only people with the link", spectators: "Spectators",
  live: "See the public view", nothing: "See nothing before the end", undoPolicy: "Undo", agreed: "If everybody agrees",
  anything_agreed: "If everybody agrees, also of what was learned since",
  free: "Free", never: "Never", create: "Create the table", takeSeat: "Take seat {0}", seat: "Seat {0}",
  leave: "Leave the table", sure: "Leave the game? Your seat becomes free for others.", invite: "Copy the invitation link", watchLink: "Copy the link for spectators", copied: "Copied.",
  moveSeat: "Copy a link to this seat for another device", yourTurn: "Your decision", waitsFor: "Waiting for {0}",
  won: "{0} won", youWon: "You won", drawn: "The game is drawn", lost: "Connection lost. Trying again …",
  choices: "Your choices", log: "Log", orders: "Standing orders", textBoard: "As text", board: "The table",
  undo: "Undo", undoLast: "Your last choice", undoMany: "Your last {0} choices", ifAgreed: "(if the others agree)",
  wishes: "{0} wants to undo.", agree: "Agree", decline: "Decline",
  asked: "You asked to undo. The others have to agree.", filter: "Filter the choices", more: "{0} more …", give: "Choose",
  startOver: "Start over", stepBack: "Step back", zoomIn: "Larger", zoomOut: "Smaller",
  history: "Look back", now: "Back to now", version: "Change {0} of {1}", next: "Next",
  previous: "Previous", playback: "Play", halt: "Stop", verify: "Verify the shuffles", verified: "Fair: the commitment matches, and all {0} random results follow from it.",
  unfair: "Something is wrong: {0}", verifying: "Verifying …", practice: "Practice: someone may have known the random numbers.",
  sitAs: "Sit at", spectator: "Spectator", score: "Score", bot: "bot", empty: "open", rematch: "Rematch",
  round: "Round {0}", turnOnly: "Turn {0}", turn: "Turn {0}: {1}", phase: "Phase: {0}", beganGame: "The game begins", tookSeat: "{0} sits down",
  leftSeat: "{0} leaves", timedOut: "Time is up for {0}", undone: "Undone", undoRefused: "The undo was declined",
  rolls: "Rolled: {0}", shuffles: "{0} is shuffled", scores: "{0}: {1} points, {2} in total", moves: "{0}: {1} → {2}",
  movesMany: "{0} cards or pieces: {1} → {2}", shows: "Shown: {0}", turnsUp: "{0} is turned up", turnsDown: "{0} is turned down",
  sets: "{0}: {1}", something: "something", moveOne: "One card or piece: {0} → {1}", nobody: "nobody", chooses: "{0}: {1}", chose: "{0} has chosen",
  noOrders: "None yet. A standing order answers a decision for you while you are away.",
  addOrder: "Add an order", whenAsked: "When asked", anyDecision: "anything", answerWith: "answer", onlyChoice: "the only choice there is",
  yes: "yes", no: "no", remove: "Remove", nothingToDo: "Nothing to decide now.", keys: "Keys: arrows move between what you can click, Enter chooses, Escape steps back, U undoes.",
  gone: "This table is private or does not exist any more.", linkGone: "This link opens no table any more: the table is private, or it was removed.",
  lostByTime: "Your time ran out, so you lost seat {0}.", lostByLeaving: "Seat {0} is not yours any more: it was left.",
  lostLink: "Your link to seat {0} is not valid (any more).", youWatch: "You are watching now.", takeAgain: "Take seat {0} again",
  comes: "{0} comes to the table", comesMany: "{0} cards or pieces come to the table",
  goes: "{0} leaves the table", goesMany: "{0} cards or pieces leave the table",
  noUndo: "Nothing can be taken back: somebody has chosen since, or has learned something.",
  tooLate: "The game went on in the meantime. Look again.", isOver: "The game is over.",
  rematchReady: "The others want a rematch.", hidden: "hidden", seeNothing: "Nobody who watches sees this game before its end.", about: "API documentation", workbench: "Workbench",
  key: "API key of this server", keyNeeded: "This server asks for a key before it opens tables.", none: "none",
  skip: "Skip to the choices", loading: "Loading …",
  endings: "End or pause", resign: "Resign", offerDraw: "Offer a draw", callOff: "Call the game off", claimAbsence: "Claim: the others are absent",
  askPause: "Ask for a pause", goOn: "Go on", withdraw: "Withdraw", resigns: "{0} resigns", offersDraw: "{0} offers a draw.", votesAbsent: "{0} wants to go on without those who do not answer.", drawDeclined: "The draw was declined",
  wantsPause: "{0} asks for a pause.", paused: "The game is paused.", unpaused: "The clocks run again in ten seconds.", notNow: "That is not possible now.",
  nobodyWon: "Nobody won", resigned: "resignation", agreed2: "by agreement", time: "out of time", claimed: "the others were absent", aborted: "called off", abandoned: "nobody went on",
  freeSeats: "{0} free", copies: "Copy this:", yes2: "Yes", no2: "No",
  noGames: "None yet.", against: "with {0}", left: "{0} left", guest: "a guest", youAre: "You are {0}", save: "Save", saved: "Saved.",
  reservedForYou: "A seat is reserved for you", reserved: "Seat {0} is reserved for somebody else.", takeReserved: "Take seat {0}, reserved for you",
  device: "Play on another device", deviceHow: "Open this link on the other device, or point its camera at the code. Whoever has the link plays as you.",
  code: "The link as a QR code", copyLink: "Copy the link", notify: "Notify me when it is my turn",
  logOut: "Log out on this device", sureLogOut: "Log out on this device? You can only come back with the link of another device where you are logged in.",
  forget: "Forget me", sureForget: "Forget you? You leave the games that are not over, and your name is removed from all others. This cannot be undone.",
  otherPlayer: "This browser is logged in as {0}. Log out here, and play as the player of the link?",
  linkUnknown: "This link belongs to no player of this server: a part of it may be missing.",
  talk: "Talk", noMessages: "Nobody has written yet.", message: "Message", send: "Send", to: "To", everybody: "everybody", team: "team",
  mute: "Mute", muted: "Muted: {0}", hear: "Hear again", deleted: "deleted", owner: "Host",
  playNow: "Play now", strength: "Bots", easy: "easy", medium: "medium", strong: "strong",
  "bot-easy": "easy bot", "bot-medium": "medium bot", "bot-strong": "strong bot", nextPerson: "Against the next person",
  close: "Close", lookAgain: "Look back", toLobby: "Games", clickToSkip: "A click or a key skips the pause.", timeOf: "Time: {0}",
  sureResign: "Resign the game?", settings: "Settings", theme: "Colors", "theme-system": "as the system", "theme-light": "light", "theme-dark": "dark",
  sound: "Sound when it is my turn", share: "Share", shareWith: "Hand on", thisPosition: "This position (change {0})",
  turnBoard: "Turn the board", sortHand: "Sort", hint: "Hint", hintSays: "A strong bot would choose:", noHint: "There is no hint here.",
  firstGame: "Your first game: what counts now", understood: "I know how to play",
  "why-rules": "The game reached its end.", "why-resigned": "By resignation.", "why-agreed": "All agreed on a draw.",
  "why-time": "Somebody ran out of time.", "why-claimed": "Somebody was absent for too long.", "why-aborted": "The game was called off before it had begun in earnest.",
  "why-abandoned": "Nobody went on with the game.",
  byPoints: "By {0} points.", andMore: "and {0} more", copyPicture: "Copy the picture", copyPosition: "Copy the position", copyMoves: "Copy the moves",
  boardOf: "Board", east: "{0} east", west: "{0} west", south: "{0} south", north: "{0} north", middle: "the middle", belongs: "{0} belongs to {1}",
  film: "Save as GIF", analyse: "What would a strong bot play here?",
  planned: "Planned: {0}", planHow: "Click what you will play next: it is played when it is your turn.",
};

const SPANISH = {
  lobby: "Juegos", tables: "Mesas abiertas", mine: "Tus partidas", rules: "Reglas", play: "Jugar",
  players: "jugadores", seats: "Asientos", anyGame: "Cualquier juego", waiting: "Faltan jugadores",
  running: "En juego", finished: "Terminada", noTables: "Aún no hay mesas.", search: "Buscar un juego", join: "Unirse",
  watch: "Mirar", open: "Abrir", yourName: "Tu nombre", language: "Idioma", me: "Tú", human: "Libre para cualquiera",
  "default": "Bot: toma lo predeterminado", "random": "Bot: fácil", greedy: "Bot: medio", "search-1": "Bot: fuerte, rápido", "search-2": "Bot: fuerte",
  "search-3": "Bot: el más fuerte", variant: "Variante", standard: "Reglas normales", options: "Opciones", clock: "Reloj",
  perDecision: "Por decisión", perGame: "Por jugador y partida", increment: "Añadido tras cada decisión",
  seconds: "segundos", minutes: "minutos", private: "Privada: solo con el enlace", spectators: "Espectadores",
  live: "Ven la vista pública", nothing: "No ven nada hasta el final", undoPolicy: "Deshacer", agreed: "Si todos aceptan",
  anything_agreed: "Si todos aceptan, también lo que se supo después",
  free: "Libre", never: "Nunca", create: "Crear la mesa", takeSeat: "Ocupar el asiento {0}", seat: "Asiento {0}",
  leave: "Dejar la mesa", sure: "¿Dejar la partida? Tu asiento queda libre.", invite: "Copiar el enlace de invitación", watchLink: "Copiar el enlace para espectadores", copied: "Copiado.",
  moveSeat: "Copiar un enlace a este asiento para otro dispositivo", yourTurn: "Tú decides", waitsFor: "Decide {0}",
  won: "Gana {0}", youWon: "Has ganado", drawn: "Empate", lost: "Sin conexión. Reintentando …",
  choices: "Tus opciones", log: "Registro", orders: "Órdenes permanentes", textBoard: "Como texto", board: "La mesa",
  undo: "Deshacer", undoLast: "Tu última elección", undoMany: "Tus últimas {0} elecciones", ifAgreed: "(si los demás aceptan)",
  wishes: "{0} quiere deshacer.", agree: "Aceptar", decline: "Rechazar",
  asked: "Has pedido deshacer. Los demás deben aceptar.", filter: "Filtrar las opciones", more: "{0} más …", give: "Elegir",
  startOver: "Empezar de nuevo", stepBack: "Un paso atrás", zoomIn: "Ampliar", zoomOut: "Reducir",
  history: "Mirar atrás", now: "Volver al presente", version: "Cambio {0} de {1}", next: "Siguiente",
  previous: "Anterior", playback: "Reproducir", halt: "Parar", verify: "Verificar las barajadas", verified: "Justo: el compromiso coincide y los {0} resultados al azar se siguen de él.",
  unfair: "Algo está mal: {0}", verifying: "Verificando …", practice: "Práctica: alguien pudo conocer los números al azar.",
  sitAs: "Sentarse en", spectator: "Espectador", score: "Puntos", bot: "bot", empty: "libre", rematch: "Revancha",
  round: "Ronda {0}", turnOnly: "Turno {0}", turn: "Turno {0}: {1}", phase: "Fase: {0}", beganGame: "Empieza la partida", tookSeat: "{0} se sienta",
  leftSeat: "{0} se va", timedOut: "Se acabó el tiempo de {0}", undone: "Deshecho", undoRefused: "No se deshace",
  rolls: "Dados: {0}", shuffles: "Se baraja {0}", scores: "{0}: {1} puntos, {2} en total",
  movesMany: "{0} cartas o piezas: {1} → {2}", shows: "Se muestra: {0}", turnsUp: "{0} boca arriba", turnsDown: "{0} boca abajo",
  something: "algo", moveOne: "Una carta o pieza: {0} → {1}", nobody: "nadie", chose: "{0} ha elegido",
  noOrders: "Ninguna. Una orden permanente responde por ti.", addOrder: "Añadir una orden", whenAsked: "Si se pregunta",
  anyDecision: "cualquier cosa", answerWith: "responder", onlyChoice: "la única opción", yes: "sí", no: "no", remove: "Quitar",
  nothingToDo: "Nada que decidir ahora.", gone: "Esta mesa es privada o ya no existe.", linkGone: "Este enlace ya no abre ninguna mesa: es privada o se ha eliminado.",
  lostByTime: "Se te acabó el tiempo y has perdido el asiento {0}.", lostByLeaving: "El asiento {0} ya no es tuyo: quedó libre.",
  lostLink: "Tu enlace al asiento {0} no es válido (o ya no lo es).", youWatch: "Ahora miras la partida.", takeAgain: "Volver a ocupar el asiento {0}",
  comes: "{0} llega a la mesa", comesMany: "{0} cartas o piezas llegan a la mesa",
  goes: "{0} sale de la mesa", goesMany: "{0} cartas o piezas salen de la mesa",
  noUndo: "No se puede deshacer nada: alguien ha elegido después, o se ha enterado de algo.",
  tooLate: "La partida ha seguido mientras tanto. Mira otra vez.", isOver: "La partida ha terminado.",
  rematchReady: "Los demás quieren la revancha.", hidden: "oculto", seeNothing: "Quien mira no ve nada de esta partida hasta el final.", about: "Documentación de la API", workbench: "Taller",
  endings: "Terminar o pausar", resign: "Rendirse", offerDraw: "Ofrecer tablas", callOff: "Cancelar la partida", claimAbsence: "Reclamar: los demás no están",
  askPause: "Pedir una pausa", goOn: "Seguir", withdraw: "Retirar", resigns: "{0} se rinde", offersDraw: "{0} ofrece tablas.", votesAbsent: "{0} quiere seguir sin los que no responden.", drawDeclined: "Se rechaza el empate",
  wantsPause: "{0} pide una pausa.", paused: "La partida está en pausa.", unpaused: "Los relojes siguen en diez segundos.", notNow: "Eso no es posible ahora.",
  nobodyWon: "No gana nadie", resigned: "rendición", agreed2: "de común acuerdo", time: "sin tiempo", claimed: "los demás no estaban", aborted: "cancelada", abandoned: "nadie siguió",
  skip: "Ir a las opciones", loading: "Cargando …", freeSeats: "{0} libres",
  keys: "Teclas: las flechas se mueven por lo que puedes pulsar, Intro elige, Escape vuelve un paso atrás, U deshace.",
  key: "Clave de la API de este servidor", keyNeeded: "Este servidor pide una clave para abrir mesas.",
  copies: "Copia esto:", yes2: "Sí", no2: "No", none: "ninguno",
  noGames: "Aún ninguna.", against: "con {0}", left: "quedan {0}", guest: "alguien sin nombre", youAre: "Eres {0}", save: "Guardar", saved: "Guardado.",
  reservedForYou: "Hay un asiento reservado para ti", reserved: "El asiento {0} está reservado para otra persona.", takeReserved: "Ocupar el asiento {0}, reservado para ti",
  device: "Jugar en otro dispositivo", deviceHow: "Abre este enlace en el otro dispositivo, o apunta al código con su cámara. Quien tiene el enlace juega como tú.",
  code: "El enlace como código QR", copyLink: "Copiar el enlace", notify: "Avisarme cuando me toque",
  logOut: "Cerrar la sesión en este dispositivo", sureLogOut: "¿Cerrar la sesión en este dispositivo? Solo podrás volver con el enlace de otro dispositivo donde sigas conectado.",
  forget: "Olvidarme", sureForget: "¿Olvidarte? Dejas las partidas sin terminar, y tu nombre desaparece de las demás. No se puede deshacer.",
  otherPlayer: "Este navegador es de {0}. ¿Cerrar aquí esa sesión y jugar con el enlace?",
  linkUnknown: "Este enlace no es de nadie en este servidor: quizá le falte una parte.",
  talk: "Charla", noMessages: "Nadie ha escrito aún.", message: "Mensaje", send: "Enviar", to: "Para", everybody: "todos", team: "equipo",
  mute: "Silenciar", muted: "Silenciados: {0}", hear: "Volver a oír", deleted: "borrado", owner: "Anfitrión",
  playNow: "Jugar ya", strength: "Bots", easy: "fácil", medium: "medio", strong: "fuerte",
  "bot-easy": "bot fácil", "bot-medium": "bot medio", "bot-strong": "bot fuerte", nextPerson: "Contra la próxima persona",
  close: "Cerrar", lookAgain: "Repasar", toLobby: "Juegos", clickToSkip: "Un clic o una tecla salta la pausa.", timeOf: "Tiempo: {0}",
  sureResign: "¿Rendirte?", settings: "Ajustes", theme: "Colores", "theme-system": "como el sistema", "theme-light": "claros", "theme-dark": "oscuros",
  sound: "Sonido cuando me toque", share: "Compartir", shareWith: "Enviar", thisPosition: "Esta posición (cambio {0})",
  turnBoard: "Girar el tablero", sortHand: "Ordenar", hint: "Pista", hintSays: "Un bot fuerte elegiría:", noHint: "Aquí no hay pista.",
  firstGame: "Tu primera partida: lo que cuenta ahora", understood: "Ya sé jugar",
  "why-rules": "La partida llegó a su fin.", "why-resigned": "Por rendición.", "why-agreed": "Tablas de común acuerdo.",
  "why-time": "A alguien se le acabó el tiempo.", "why-claimed": "Alguien estuvo ausente demasiado tiempo.", "why-aborted": "La partida se canceló al empezar.",
  "why-abandoned": "Nadie siguió con la partida.",
  byPoints: "Por {0} puntos.", andMore: "y {0} más", copyPicture: "Copiar la imagen", copyPosition: "Copiar la posición", copyMoves: "Copiar las jugadas",
  boardOf: "Tablero", east: "{0} al este", west: "{0} al oeste", south: "{0} al sur", north: "{0} al norte", middle: "el centro", belongs: "{0} es de {1}",
  film: "Guardar como GIF", analyse: "¿Qué jugaría aquí un bot fuerte?",
  planned: "Previsto: {0}", planHow: "Pulsa lo que jugarás después: se juega cuando te toque.",
};

/** The built-in players, the one that most people want first. */
export const BOTS = ["greedy", "random", "search-2", "search-1", "search-3"];

const ALL = { en: ENGLISH, es: SPANISH };

/** The languages of the page itself; games may have more. */
export const own = Object.keys(ALL);

/** Returns words of the page; `{0}` and so on are filled with what follows. */
export function say(name, ...holes) {
  const words = ALL[language.value] || ENGLISH;
  const text = words[name] ?? ENGLISH[name] ?? name;
  return text.replace(/\{(\d)\}/g, (_, at) => holes[Number(at)] ?? "");
}

/** Returns the name of a language in that language. */
export function languageName(tag) {
  try {
    return new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  } catch {
    return tag;
  }
}

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 };

/** Returns a time in the largest unit of which there are two. */
export function timeLeft(ms) {
  const [unit, length] = Object.entries(UNITS).find(([, length]) => ms >= 2 * length) ?? ["second", 1_000];
  const count = Math.max(0, Math.floor(ms / length));
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
