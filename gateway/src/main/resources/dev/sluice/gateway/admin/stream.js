// The live figures: server-sent events, read by fetch since EventSource can show no token.

const QUIET_MILLIS = 6000; // the gateway sends each second: that long a silence is a loss
const RETRY_MILLIS = 2000;
const TOKEN = 'sluice-token';

let token = remembered();

function remembered() {
  try {
    return sessionStorage.getItem(TOKEN);
  } catch {
    return null; // storage is switched off: the token holds as long as the page
  }
}

/** Keeps the token until the tab is closed. */
export function useToken(text) {
  token = text;
  try {
    sessionStorage.setItem(TOKEN, text);
  } catch { /* as above */ }
}

/** Like fetch, with the token where there is one. */
export function ask(path, options = {}) {
  return fetch(path, {...options, cache: 'no-store', headers: token ? {Authorization: `Bearer ${token}`} : {}});
}

/**
 * Follows the gateway until the page is closed.
 *
 * handler.snapshot(object) and handler.sample(object) take what comes; handler.link(state) is told "live", "lost" or "refused", and
 * handler.tokenWanted(wrong) returns a promise of another try.
 */
export async function follow(handler) {
  for (;;) {
    try {
      await readAll(handler);
      handler.link('lost');
    } catch (e) {
      handler.link('lost', e.message);
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MILLIS));
  }
}

async function readAll(handler) {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), QUIET_MILLIS);
  try {
    const response = await ask('/events', {signal: abort.signal});
    if (response.status === 401) {
      clearTimeout(timer);
      await handler.tokenWanted(token !== null);
      return;
    }
    if (!response.ok) {
      throw new Error((await response.text()).trim());
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let {value, done} = await reader.read(); !done; {value, done} = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => abort.abort(), QUIET_MILLIS);
      const events = (rest + value).split('\n\n');
      rest = events.pop();
      events.forEach(event => dispatch(event, handler));
    }
  } finally {
    clearTimeout(timer);
  }
}

function dispatch(event, handler) {
  const field = name => event.split('\n').find(line => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = JSON.parse(field('data'));
  handler.link('live');
  if (field('event') === 'snapshot') {
    handler.snapshot(data);
  } else {
    handler.sample(data);
  }
}
