// Rules on their way out of the page: a link whose part behind `#` contains them, and a folder as a ZIP archive.

/** More letters than this do not fit the addresses that people send. */
export const LINK_MAX = 16_000;

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

/** Packs rules for a link; browsers do not send what stands behind `#`. */
export async function packed(work) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify({ game: work.game, files: work.files })), new CompressionStream("deflate-raw"));
  const letters = btoa(String.fromCharCode(...bytes));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Unpacks a link; null if it is none. Its content is text for the editor, and nothing else. */
export async function unpacked(letters) {
  try {
    const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    const { game, files } = JSON.parse(text);
    const are_texts = files && Object.values(files).every((one) => typeof one === "string");
    return are_texts ? { game: typeof game === "string" ? game : null, files } : null;
  } catch {
    return null;
  }
}

const TABLE = Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

const checksum = (bytes) => (bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** Makes a ZIP archive without compression: `files` by path. */
export function archive(files) {
  const parts = [];
  const index = [];
  let at = 0;
  const header = (size, write) => {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    return new Uint8Array(view.buffer);
  };
  for (const [path, text] of Object.entries(files)) {
    const [name, bytes] = [new TextEncoder().encode(path), new TextEncoder().encode(text)];
    const facts = (view, from) => {
      view.setUint16(from, 0x0800, true); // names are UTF-8
      view.setUint32(from + 8, checksum(bytes), true);
      view.setUint32(from + 12, bytes.length, true);
      view.setUint32(from + 16, bytes.length, true);
      view.setUint16(from + 20, name.length, true);
    };
    const own = at;
    const local = header(30, (view) => {
      view.setUint32(0, 0x04034b50, true);
      view.setUint16(4, 20, true);
      facts(view, 6);
    });
    index.push(header(46, (view) => {
      view.setUint32(0, 0x02014b50, true);
      view.setUint16(4, 20, true);
      view.setUint16(6, 20, true);
      facts(view, 8);
      view.setUint32(42, own, true);
    }), name);
    parts.push(local, name, bytes);
    at += local.length + name.length + bytes.length;
  }
  const length = index.reduce((sum, part) => sum + part.length, 0);
  const count = Object.keys(files).length;
  const end = header(22, (view) => {
    view.setUint32(0, 0x06054b50, true);
    view.setUint16(8, count, true);
    view.setUint16(10, count, true);
    view.setUint32(12, length, true);
    view.setUint32(16, at, true);
  });
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}
