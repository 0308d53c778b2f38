// Runs a reader, which answers what the page asks from packed databases. One reader has the games of the program, another one
// those from files; each is loaded when a game of it is shown.
importScripts('wasm_exec.js');

const games = fetch('databases.json').then((response) => response.json());
const readers = new Map();
const databases = new Map();

/** load returns the function of a reader that opens a database. Some hosts say that the file is compressed, so that the browser has expanded it. */
async function load(name) {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: the web host answers with status ${response.status}`);
  let bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
  }
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  go.run(instance);
  return globalThis.yomikiriOpen;
}

/** once calls make for a name that is not in a map yet; what fails is tried again the next time. */
function once(map, name, make) {
  if (!map.has(name)) {
    map.set(name, make());
    map.get(name).catch(() => map.delete(name));
  }
  return map.get(name);
}

/** database returns the function that answers for the database of a game. */
const database = (name) => once(databases, name, async () => {
  const file = (await games).find((game) => game.name === name);
  if (!file) throw new Error(`there is no game ${name}`);
  const open = await once(readers, file.reader, () => load(file.reader));
  return open(JSON.stringify(file));
});

onmessage = async ({ data: { id, method, path, query, body } }) => {
  try {
    const answer = await database(decodeURIComponent(path.split('/')[0]));
    const [status, text] = await answer(method, path, query, body);
    postMessage({ id, status, answer: text });
  } catch (e) {
    const code = e.reason ?? (e instanceof TypeError ? 'offline' : 'unreachable');
    postMessage({ id, status: 500, answer: JSON.stringify({ error: { code, message: e.message } }) });
  }
};
