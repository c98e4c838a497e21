// Shows what the gateway tells. All text comes into the page as text nodes, never as markup.

import {Chart, detail} from '/charts.js';
import {ask, follow, useToken} from '/stream.js';

const $ = selector => document.querySelector(selector);
const POINTS = {fine: 600, coarse: 360};

/** What the charts show; the gateway's own history, continued by each sample. */
let history = {fine: {time: []}, coarse: {time: []}};
let range = 'fine';
let latest = null;

// --- numbers as people read them

const number = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const isKnown = value => value !== null && value !== undefined;

function count(value) {
  if (!isKnown(value)) return '–';
  if (value !== 0 && Math.abs(value) < 10) return String(Number(value.toFixed(value < 1 ? 2 : 1)));
  if (value < 100_000) return number.format(value);
  return value < 1e6 ? `${(value / 1e3).toFixed(0)}k` : value < 1e9 ? `${(value / 1e6).toFixed(1)}M` : `${(value / 1e9).toFixed(1)}G`;
}

function bytes(value) {
  if (!isKnown(value)) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1024;
  return `${unit === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

function percent(value) {
  return isKnown(value) ? `${Number((value * 100).toFixed(value < 0.1 && value > 0 ? 1 : 0))} %` : '–';
}

function cores(value) {
  return isKnown(value) ? value.toFixed(2) : '–';
}

function duration(seconds) {
  if (Math.abs(seconds) > 36525 * 86400) return '–'; // no end that anybody knows
  const parts = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const first = parts.findIndex(([, size]) => Math.abs(seconds) >= size);
  if (first < 0) return '0 s';
  let rest = Math.abs(seconds);
  return parts.slice(first, first + (first === 0 && rest > 20 * 86400 ? 1 : 2)).map(([unit, size]) => {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    return `${whole} ${unit}`;
  }).filter((text, i) => i === 0 || !text.startsWith('0 ')).join(' ');
}

const words = name => name.replaceAll('_', ' ');

// --- elements

function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children.filter(isKnown));
  return element;
}

function bar(part, className) {
  const inner = el('i', className ? {class: className} : {});
  inner.style.width = `${Math.max(0, Math.min(1, part || 0)) * 100}%`;
  return inner;
}

const meter = part => el('span', {class: 'meter'}, bar(part));

/** Replaces what an element holds when it is about to change, so that a selection or focus in it survives. */
function fill(element, about, make) {
  const text = JSON.stringify(about);
  if (element.dataset.about !== text) {
    element.dataset.about = text;
    element.replaceChildren(...[make()].flat());
  }
}

/** A table of rows; columns: [title, cell, class]. */
function table(element, rows, columns, empty) {
  fill(element, rows, () => rows.length === 0
    ? el('p', {class: 'none'}, empty)
    : el('table', {},
      el('thead', {}, el('tr', {}, ...columns.map(([title, , kind]) => el('th', {scope: 'col', class: kind ?? ''}, title)))),
      el('tbody', {}, ...rows.map(row => el('tr', {}, ...columns.map(([, cell, kind]) => el('td', {class: kind ?? ''}, cell(row))))))));
}

// --- charts

const charts = {
  full: new Chart($('[data-chart=full]'), {lines: [{key: 'full', colour: 'accent'}], format: count, most: 1}),
  resumption: new Chart($('[data-chart=resumption]'), {lines: [{key: 'resumption', colour: 'third'}], format: percent, fixed: 1}),
  crypto: new Chart($('[data-chart=crypto]'), {lines: [{key: 'crypto', colour: 'second'}], format: percent, most: 0.1}),
  connections: new Chart($('[data-chart=connections]'), {lines: [{key: 'connections', colour: 'accent'}], format: count, most: 4}),
  bytes: new Chart($('[data-chart=bytes]'), {
    lines: [{key: 'sent', colour: 'accent', name: 'to clients'}, {key: 'received', colour: 'fourth', name: 'to backends'}],
    format: bytes,
    most: 1024,
    steps: Array.from({length: 40}, (_, power) => 2 ** power),
  }),
  cpu: new Chart($('[data-chart=cpu]'), {
    lines: [{key: 'cpu', colour: 'third', name: 'all'}, {key: 'crypto_cpu', colour: 'second', name: 'cryptography'}],
    format: cores,
    most: 0.1,
  }),
};

/** Which alert's threshold a chart shows. */
const THRESHOLDS = {full: 'full-handshakes-per-second', resumption: 'resumption-ratio', crypto: 'crypto-cpu-ratio'};

function drawCharts() {
  for (const [name, chart] of Object.entries(charts)) {
    const alert = latest?.alerts.find(each => each.name === THRESHOLDS[name]);
    chart.show(history[range], range, alert ? alert.threshold : null);
  }
}

function append(track, point, most) {
  if (track.time.length > 0 && point.time <= track.time.at(-1)) {
    return; // a snapshot told it already
  }
  for (const [key, value] of Object.entries(point)) {
    track[key] ??= new Array(track.time.length).fill(null);
    track[key].push(value);
    if (track[key].length > most) track[key].shift();
  }
}

// --- panels

function showFigures({series, alerts}) {
  const figure = (name, text) => {
    const element = $(`[data-figure=${name}]`);
    element.textContent = text;
    const state = alerts.find(alert => alert.name === THRESHOLDS[name])?.state;
    element.parentElement.className = `figure ${state === 'firing' ? 'bad' : state === 'pending' ? 'warn' : ''}`;
  };
  const says = (name, text) => detail($(`[data-detail=${name}]`), text);
  figure('full', count(series.full));
  says('full', `${count(series.resumed)} resumed · ${count(series.failed)} failed a second`);
  figure('resumption', percent(series.resumption));
  says('resumption', isKnown(series.resumption) ? 'over 10 seconds' : 'no client with a ticket for 10 seconds');
  figure('crypto', percent(series.crypto));
  says('crypto', `${cores(series.crypto_cpu)} of ${cores(series.cpu)} cores`);
  figure('connections', count(series.connections));
  figure('bytes', bytes((series.sent ?? 0) + (series.received ?? 0)));
  says('bytes', `${bytes(series.sent)} to clients · ${bytes(series.received)} to backends`);
  figure('cpu', cores(series.cpu));
  says('cpu', `${cores(series.crypto_cpu)} of them for cryptography`);
}

function showMix(counts) {
  const recent = counts.versions.some(row => row.recent > 0);
  const weight = row => (recent ? row.recent : row.total);
  const groups = [['TLS version', 'versions'], ['Cipher', 'ciphers'], ['Key exchange', 'groups']]
    .map(([title, name]) => [title, shares(counts[name], weight)]);
  const anything = groups.some(([, shown]) => shown.length > 0);
  $('#mix-window').textContent = anything ? (recent ? 'handshakes of the last minute' : 'handshakes since the start') : '';
  fill($('#mix'), groups, () => anything
    ? groups.map(([title, shown]) => el('div', {},
      el('h3', {}, title),
      el('div', {class: 'bar', 'aria-hidden': 'true'}, ...shown.map(({part}, i) => bar(part, `c${i}`))),
      el('ul', {class: 'keys'}, ...shown.map(({name, part}, i) => el('li', {}, el('i', {class: `c${i}`}), name, el('b', {}, percent(part)))))))
    : el('p', {class: 'none'}, 'No handshake yet.'));
}

/** The four largest parts, and the rest as one. */
function shares(rows, weight) {
  const sum = rows.reduce((all, row) => all + weight(row), 0);
  const sorted = rows.filter(row => weight(row) > 0).sort((a, b) => weight(b) - weight(a));
  const shown = sorted.length > 5 ? sorted.slice(0, 4) : sorted;
  const rest = sorted.slice(shown.length).reduce((all, row) => all + weight(row), 0);
  const parts = shown.map(row => ({name: row.name || 'none', part: weight(row) / sum}));
  return rest > 0 ? [...parts, {name: 'others', part: rest / sum}] : parts;
}

function showAlerts(alerts) {
  const raised = alerts.filter(alert => alert.state !== 'ok').sort((a, b) => a.state.localeCompare(b.state));
  const firing = raised.filter(alert => alert.state === 'firing').length;
  document.title = firing > 0 ? `(${firing}) Sluice` : 'Sluice';
  // The value changes each second; what is read aloud is the alert itself.
  const about = raised.map(({name, state, since, advice}) => [name, state, since, advice]);
  fill($('#alerts'), [about, alerts.length], () => raised.length > 0
    ? raised.map(banner)
    : el('p', {class: 'quiet'}, alerts.length > 0
      ? `No alert is firing; ${alerts.length} are enabled.`
      : 'Alerts are off.'));
  for (const alert of raised) {
    const message = $(`#alerts [data-name="${alert.name}"] .message`);
    if (message.textContent !== alert.message) message.textContent = alert.message;
  }
}

function banner(alert) {
  const since = new Date(alert.since).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', hourCycle: 'h23'});
  const head = el('h2', {}, el('span', {class: 'message', 'aria-live': 'off'}, alert.message),
    el('span', {class: 'since'}, `${alert.name}, ${alert.state} since ${since}`));
  const advice = alert.state === 'firing' && alert.advice.length > 0
    ? [el('h3', {}, 'What to do first'), el('ol', {}, ...alert.advice.map(line => el('li', {}, line)))]
    : [];
  return el('article', {class: `alert ${alert.state}`, 'data-name': alert.name}, head, ...advice);
}

const isEnabled = row => row['mode.enabled'] !== 0;
const stateOf = row => (row['mode.draining'] ? 'draining' : row['mode.disabled'] ? 'disabled' : row.up ? 'up' : 'down');

/** A button that drains or enables a server; see the listener for clicks on it. */
function control({backend, server}, verb) {
  return el('button', {type: 'button', 'data-verb': verb, 'data-backend': backend, 'data-server': server,
    'aria-label': `${verb} ${server} of ${backend}`}, verb);
}

function showTables({tables, counts, time}) {
  table($('#backends'), tables.backends.map(row => ({...row.labels, ...row.figures})), [
    ['Backend', row => row.backend],
    ['Server', row => row.server],
    ['State', row => el('span', {class: `pill ${isEnabled(row) ? row.up ? 'good' : 'bad' : 'warn'}`}, stateOf(row))],
    ['Weight', row => (row['weight.backup'] ? `${row['weight.backup']}, backup` : `${row['weight.primary'] ?? '–'}`), 'n'],
    ['Open', row => count(row.connections), 'n'],
    ['Connects', row => count(row.connects_total), 'n'],
    ['Failed', row => count(row.connect_failures_total), 'n'],
    ['Ejected', row => count(row.ejections_total), 'n'],
    ['Checks failed', row => row.health_checks_total ? `${count(row.health_check_failures_total)} of ${count(row.health_checks_total)}` : '–', 'n'],
    ['Control', row => control(row, isEnabled(row) ? 'drain' : 'enable'), 's'],
  ], 'No route leads to a server.');

  const now = time / 1000;
  const minutes = seconds => Math.floor(seconds / 60) * 60;
  const certificates = tables.certificates
    .map(({labels, figures}) => ({
      ...labels,
      left: minutes(figures.certificate_not_after_timestamp_seconds - now),
      staple: isKnown(figures.ocsp_next_update_timestamp_seconds) ? minutes(figures.ocsp_next_update_timestamp_seconds - now) : null,
    }))
    .sort((a, b) => a.left - b.left);
  table($('#certificates'), certificates, [
    ['Certificate', row => row.name],
    ['Key', row => row.key_type, 's'],
    ['Valid for', row => el('span', {class: `pill ${row.left < 7 * 86400 ? 'bad' : row.left < 21 * 86400 ? 'warn' : 'good'}`},
      row.left < 0 ? `ended ${duration(-row.left)} ago` : duration(row.left))],
    ['OCSP response for', row => (row.staple === null ? '–' : row.staple < 0 ? 'over' : duration(row.staple)), 's'],
  ], 'No certificate is served.');

  reasons('#failures', counts.failures, [['Reason', row => words(row.name)], ['Fault', row => row.detail, 's']], 'None has failed.');
  reasons('#misses', counts.misses, [['Reason', row => words(row.name)]], 'No full handshake yet.');
  reasons('#tickets', counts.tickets, [['Tickets offered', row => words(row.name)]], 'No client has offered a ticket yet.');

  const largest = Math.max(1, ...tables.memory.map(row => row.figures.bytes ?? 0));
  const memory = tables.memory.map(row => ({owner: row.labels.owner, bytes: row.figures.bytes ?? 0, part: (row.figures.bytes ?? 0) / largest}))
    .filter(row => row.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  table($('#memory'), memory, [
    ['Owner', row => row.owner],
    ['', row => meter(row.part), 'm'],
    ['Bytes', row => bytes(row.bytes), 'n'],
  ], 'Nothing is held.');
}

function reasons(selector, rows, columns, empty) {
  const shown = rows.filter(row => row.total > 0).sort((a, b) => b.recent - a.recent || b.total - a.total);
  const most = Math.max(1, ...shown.map(row => row.recent));
  table($(selector), shown, [
    ...columns,
    ['', row => meter(row.recent / most), 'm'],
    ['Last minute', row => count(row.recent), 'n'],
    ['In all', row => count(row.total), 'n'],
  ], empty);
}

function showLoops({tables, info, counts}) {
  const transport = info.sluice_transport_info;
  $('#loops-why').textContent = transport ? transport.reason : '';
  $('#transport').textContent = transport ? transport.transport : '';
  const rows = tables.loops.map(({labels, figures}) => ({
    loop: labels.loop,
    busy: figures.busy_ratio,
    connections: figures.connections,
    events: figures.turns_total > 0 ? figures.events_total / figures.turns_total : null,
    calls: figures.events_total > 0 ? figures.system_calls_total / figures.events_total : null,
    shortages: figures.buffer_shortages_total,
  }));
  table($('#loops'), rows, [
    ['Loop', row => row.loop],
    ['', row => meter(row.busy), 'm'],
    ['Busy', row => percent(row.busy), 'n'],
    ['Connections', row => count(row.connections), 'n'],
    ['Events per turn', row => count(row.events), 'n'],
    ['Calls per event', row => count(row.calls), 'n'],
    ['Buffer shortages', row => count(row.shortages), 'n'],
  ], 'No loop runs.');
  const direct = counts.engines.reduce((sum, row) => sum + (row.name === 'direct' ? row.total : 0), 0);
  const all = counts.engines.reduce((sum, row) => sum + row.total, 0);
  return all > 0 ? `${percent(direct / all)} of connections detached from libssl after the handshake` : 'no connection yet';
}

function showFacts({time, figures, info, tables, series}, records) {
  const start = figures.process_start_time_seconds;
  const up = start ? `up ${duration(Math.floor((time / 1000 - start) / 10) * 10)}` : '';
  $('#host').textContent = location.host;
  $('#uptime').textContent = up;
  const heap = tables.heap.find(row => row.labels.area === 'heap')?.figures['used_bytes'];
  $('#memory-sum').textContent = `${bytes(series.memory)} native · Java heap ${bytes(heap)} · process ${bytes(figures.process_resident_memory_bytes)}`;
  detail($('[data-detail=connections]'), isKnown(figures.sluice_admission_connections_max)
    ? `of at most ${count(figures.sluice_admission_connections_max)}` : '');

  const age = figures.sluice_tls_ticket_key_age_seconds;
  const sync = figures.sluice_tls_ticket_sync_timestamp_seconds;
  list($('#keys'), [
    ['Keys', tables.keys.filter(row => row.figures.keys > 0).map(row => `${count(row.figures.keys)} ${words(row.labels.state)}`).join(', ') || 'none: clients cannot resume'],
    ['Age of the one that seals', isKnown(age) ? duration(Math.floor(age / 10) * 10) : null],
    ['Store last reached', isKnown(sync) ? `${duration(Math.max(0, time / 1000 - sync))} ago` : null],
    ['Store failures', figures.sluice_tls_ticket_store_failures_total > 0 ? count(figures.sluice_tls_ticket_store_failures_total) : null],
  ]);
  const reloaded = figures.sluice_config_reload_success_timestamp_seconds;
  list($('#about'), [
    ['Sluice', info.sluice_build_info?.version],
    ['OpenSSL', info.sluice_openssl_info?.version],
    ['Java', info.jvm_info ? `${info.jvm_info.version}, ${info.jvm_info.vendor}` : null],
    ['Records', records],
    ['In force since', isKnown(reloaded) && reloaded > 0 ? new Date(reloaded * 1000).toLocaleString([], {dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23'}) : null],
    ['Last reload', figures.sluice_config_reload_successful === 0 ? 'refused; what was served goes on' : null],
    ['Descriptors', isKnown(figures.process_open_fds) ? `${count(figures.process_open_fds)} of ${count(figures.process_max_fds)}` : null],
  ]);
}

function list(element, entries) {
  const shown = entries.filter(([, text]) => isKnown(text));
  fill(element, shown, () => el('dl', {}, ...shown.flatMap(([term, text]) => [el('dt', {}, term), el('dd', {}, text)])));
}

function show(state) {
  latest = state;
  showAlerts(state.alerts);
  showFigures(state);
  showMix(state.counts);
  showTables(state);
  showFacts(state, showLoops(state));
  link(state.state === 'serving' ? 'live' : state.state);
  if (!document.hidden) drawCharts();
}

// --- the link to the gateway

const LINKS = {
  live: ['live', 'good'], starting: ['starting', 'warn'], draining: ['draining', 'warn'], lost: ['connection lost', 'bad'],
};

function link(state) {
  const [text, kind] = LINKS[state];
  const pill = $('#link');
  if (pill.textContent !== text) {
    pill.textContent = text;
    pill.className = `pill ${kind}`;
  }
  document.body.classList.toggle('lost', state === 'lost');
}

follow({
  snapshot(state) {
    history = state.history;
    show(state);
  },
  sample(state) {
    append(history.fine, {time: state.time, ...state.series}, POINTS.fine);
    if (state.coarse) {
      append(history.coarse, Object.fromEntries(Object.entries(state.coarse).map(([key, [value]]) => [key, value])), POINTS.coarse);
    }
    show(state);
  },
  link(state, why) {
    if (state === 'lost') {
      link('lost');
      $('#link').title = why ?? '';
    }
  },
  tokenWanted(wrong) {
    link('lost');
    $('#token').hidden = false;
    $('#token-wrong').textContent = wrong ? 'That token is not the right one.' : '';
    $('#token-text').focus();
    return new Promise(resolve => $('#token').addEventListener('submit', event => {
      event.preventDefault();
      useToken($('#token-text').value.trim());
      $('#token').hidden = true;
      resolve();
    }, {once: true}));
  },
});

// --- what people do

document.querySelectorAll('[name=range]').forEach(input => input.addEventListener('change', () => {
  range = input.value;
  drawCharts();
}));
document.addEventListener('visibilitychange', () => document.hidden || drawCharts());

$('#reload').addEventListener('click', async () => {
  const button = $('#reload');
  button.disabled = true;
  $('#reloaded').textContent = 'Reading it …';
  try {
    const response = await ask('/reload', {method: 'POST'});
    $('#reloaded').textContent = (await response.text()).trim();
  } catch (e) {
    $('#reloaded').textContent = `The gateway did not answer: ${e.message}`;
  } finally {
    button.disabled = false;
  }
});

$('#backends').addEventListener('click', async event => {
  const button = event.target.closest('button[data-verb]');
  if (button) {
    const {verb, backend, server} = button.dataset;
    button.disabled = true; // the next snapshot shows the other one
    try {
      const response = await ask(`/api/backends/${verb}?${new URLSearchParams({backend, server})}`, {method: 'POST'});
      $('#backends-told').textContent = (await response.text()).trim();
    } catch (e) {
      $('#backends-told').textContent = `The gateway did not answer: ${e.message}`;
    } finally {
      button.disabled = false;
    }
  }
});

$('#show-config').addEventListener('click', async () => {
  const box = $('#config');
  if (!box.hidden) {
    box.hidden = true;
    $('#show-config').textContent = 'Show what is in force';
    return;
  }
  const response = await ask('/config').catch(e => new Response(`The gateway did not answer: ${e.message}`));
  box.textContent = (await response.text()).trim();
  box.hidden = false;
  $('#show-config').textContent = 'Hide it';
});
