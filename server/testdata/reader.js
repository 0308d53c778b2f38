// Asks the reader, in Node, what a line of standard input has: a method, a path, a query and a body, as JSON. It prints the answers.
// Arguments: wasm_exec.js, the reader, and a description of the database.
const fs = require('node:fs');
const zlib = require('node:zlib');
const readline = require('node:readline');

require(fs.realpathSync(process.argv[2]));

(async () => {
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(zlib.gunzipSync(fs.readFileSync(process.argv[3])), go.importObject);
  go.run(instance);
  const answer = await yomikiriOpen(process.argv[4]);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [method, path, query, body] = JSON.parse(line);
    const [status, text] = await answer(method, path, query, body);
    if (!process.stdout.write(`${status} ${text}`)) await new Promise((drained) => { process.stdout.once('drain', drained); });
  }
  process.exit(0);
})().catch((e) => {
  console.error(e.message);
  process.exit(1);
});
