// Just enough of a browser for scripts that make no elements.
const stored = new Map();

globalThis.document = { documentElement: {} };
globalThis.navigator ??= { language: 'en' };
globalThis.localStorage = {
  getItem: (name) => stored.get(name) ?? null,
  setItem: (name, value) => stored.set(name, value),
};

/** inEnglish chooses the language before the words of the page are loaded. */
globalThis.localStorage.setItem('yomikiri.lang', '"en"');

/** serve answers requests of the page from a map of paths, and notes what was asked for. */
export function serve(answers) {
  const asked = [];
  globalThis.fetch = async (path) => {
    asked.push(path);
    if (!(path in answers)) throw new Error('offline');
    const answer = answers[path];
    return { json: async () => (typeof answer === 'function' ? answer() : answer) };
  };
  return asked;
}
