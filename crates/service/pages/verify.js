// Verifies that the shuffles and rolls of a finished game follow from the seed to which the server was committed.
//
// docs/record-format.md describes what is computed here: BLAKE3 of a single chunk, and ChaCha with 12 rounds.

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const rotateRight = (word, by) => (word >>> by) | (word << (32 - by));
const rotateLeft = (word, by) => (word << by) | (word >>> (32 - by));

const START = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const [CHUNK_START, CHUNK_END, ROOT] = [1, 2, 8];

function compress(chain, words, length, flags) {
  const v = [...chain, ...START.slice(0, 4), 0, 0, length, flags];
  let m = words;
  const mix = (a, b, c, d, x, y) => {
    v[a] = (v[a] + v[b] + x) | 0;
    v[d] = rotateRight(v[d] ^ v[a], 16);
    v[c] = (v[c] + v[d]) | 0;
    v[b] = rotateRight(v[b] ^ v[c], 12);
    v[a] = (v[a] + v[b] + y) | 0;
    v[d] = rotateRight(v[d] ^ v[a], 8);
    v[c] = (v[c] + v[d]) | 0;
    v[b] = rotateRight(v[b] ^ v[c], 7);
  };
  for (let round = 0; round < 7; round += 1) {
    mix(0, 4, 8, 12, m[0], m[1]);
    mix(1, 5, 9, 13, m[2], m[3]);
    mix(2, 6, 10, 14, m[4], m[5]);
    mix(3, 7, 11, 15, m[6], m[7]);
    mix(0, 5, 10, 15, m[8], m[9]);
    mix(1, 6, 11, 12, m[10], m[11]);
    mix(2, 7, 8, 13, m[12], m[13]);
    mix(3, 4, 9, 14, m[14], m[15]);
    m = ORDER.map((from) => m[from]);
  }
  return START.map((_, at) => v[at] ^ v[at + 8]);
}

/** BLAKE3 of at most 1024 bytes. */
export function blake3(input) {
  if (input.length > 1024) throw new Error("more than one chunk");
  const blocks = Math.max(1, Math.ceil(input.length / 64));
  let chain = START;
  for (let block = 0; block < blocks; block += 1) {
    const part = input.subarray(block * 64, block * 64 + 64);
    const padded = new Uint8Array(64);
    padded.set(part);
    const view = new DataView(padded.buffer);
    const words = Array.from({ length: 16 }, (_, at) => view.getUint32(at * 4, true));
    const is_last = block === blocks - 1;
    const flags = (block === 0 ? CHUNK_START : 0) | (is_last ? CHUNK_END | ROOT : 0);
    chain = compress(chain, words, part.length, flags);
  }
  const out = new DataView(new ArrayBuffer(32));
  chain.forEach((word, at) => out.setUint32(at * 4, word, true));
  return new Uint8Array(out.buffer);
}

const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

function* chacha12(key, label, number) {
  const view = new DataView(key.buffer, key.byteOffset, 32);
  const words = Array.from({ length: 8 }, (_, at) => view.getUint32(at * 4, true));
  // The nonce is label × 2⁴⁸ + number.
  const nonce = [number >>> 0, ((label << 16) | Math.floor(number / 2 ** 32)) >>> 0];
  for (let counter = 0; ; counter += 1) {
    const start = [...SIGMA, ...words, counter >>> 0, Math.floor(counter / 2 ** 32), ...nonce];
    const x = [...start];
    const quarter = (a, b, c, d) => {
      x[a] = (x[a] + x[b]) | 0;
      x[d] = rotateLeft(x[d] ^ x[a], 16);
      x[c] = (x[c] + x[d]) | 0;
      x[b] = rotateLeft(x[b] ^ x[c], 12);
      x[a] = (x[a] + x[b]) | 0;
      x[d] = rotateLeft(x[d] ^ x[a], 8);
      x[c] = (x[c] + x[d]) | 0;
      x[b] = rotateLeft(x[b] ^ x[c], 7);
    };
    for (let round = 0; round < 6; round += 1) {
      for (let at = 0; at < 4; at += 1) quarter(at, at + 4, at + 8, at + 12);
      for (let at = 0; at < 4; at += 1) quarter(at, 4 + ((at + 1) % 4), 8 + ((at + 2) % 4), 12 + ((at + 3) % 4));
    }
    for (let at = 0; at < 16; at += 1) yield (x[at] + start[at]) >>> 0;
  }
}

function below(stream, n) {
  if (n < 2) return 0;
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % n;
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function seedOf({ commitment, secret, entropy }) {
  const bytes = bytesOf(secret);
  if (hexOf(blake3(bytes)) !== commitment) throw new Error("the secret is not the one of the commitment");
  if (entropy.length === 0) return bytes;
  const parts = [...new TextEncoder().encode("wyrmgate 1 seed"), ...bytes];
  let last = 0;
  for (const { seat, value } of entropy) {
    if (seat <= last) throw new Error("the contributions of the seats are out of order");
    last = seat;
    parts.push(seat, ...bytesOf(value));
  }
  return blake3(Uint8Array.from(parts));
}

const CHECKS = {
  shuffle: [2, (stream, { before, order }) => {
    const cards = [...before];
    for (let i = cards.length - 1; i > 0; i -= 1) {
      const j = below(stream, i + 1);
      [cards[i], cards[j]] = [cards[j], cards[i]];
    }
    return same(cards, order);
  }],
  roll: [1, (stream, dice) => dice.every(({ faces, face }) => same(faces[below(stream, faces.length)], face))],
  draw: [3, (stream, { from, drawn }) => {
    const left = [...from];
    return drawn.every((value) => same(left.splice(below(stream, left.length), 1)[0], value));
  }],
  choice: [3, (stream, { of, number }) => below(stream, of) === number],
};

/**
 * Checks a record against the commitment that was shown from the beginning, and against this browser's own random
 * number, if it contributed one. Returns the number of random results; throws an error that says what is wrong.
 */
export function verify(record, commitment, own) {
  if (!record.fairness) throw new Error("the record has no commitment");
  if (record.fairness.commitment !== commitment) throw new Error("the commitment is not the one of the session");
  for (const { seat, value } of own || []) {
    if (!record.fairness.entropy.some((one) => one.seat === seat && one.value === value)) {
      throw new Error(`the contribution of seat ${seat} is missing`);
    }
  }
  const seed = seedOf(record.fairness);
  if (hexOf(seed) !== record.seed) throw new Error("the seed does not follow from the secret");
  const chance = record.chance || [];
  for (const { number, result } of chance) {
    const [kind, value] = Object.entries(result)[0];
    const check = CHECKS[kind];
    if (!check) throw new Error(`unknown random operation ${kind}`);
    if (!check[1](chacha12(seed, check[0], number), value)) throw new Error(`random operation ${number} (${kind})`);
  }
  return chance.length;
}
