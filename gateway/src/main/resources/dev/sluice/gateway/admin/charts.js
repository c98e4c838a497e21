// Charts of the history, by uPlot. All share one crosshair.

const WINDOW_SECONDS = {fine: 600, coarse: 3600};
const WINDOW_SECONDS_MIN = 60; // of a gateway that has just started there is no more to see
const dark = matchMedia('(prefers-color-scheme: dark)');

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** A chart in a card; options: lines [{key, colour}], format(value), most (least upper end of the scale), fixed (the upper end), steps (between grid lines). */
export class Chart {
  constructor(card, options) {
    this.box = card.querySelector('.chart');
    this.detail = card.querySelector('.detail');
    this.title = card.querySelector('h2').textContent;
    this.options = options;
    this.data = [[], ...options.lines.map(() => [])];
    this.threshold = null;
    this.range = 'fine';
    this.end = Date.now() / 1000;
    this.box.setAttribute('role', 'img');
    this.draw();
    new ResizeObserver(() => this.plot.setSize(this.size())).observe(this.box);
    dark.addEventListener('change', () => this.draw());
  }

  /** Shows these points of the history; threshold: where an alert stands, or null. */
  show(track, range, threshold) {
    this.range = range;
    this.threshold = threshold;
    const times = track.time.map(millis => millis / 1000);
    this.end = times.at(-1) ?? Date.now() / 1000;
    this.data = [times, ...this.options.lines.map(line => track[line.key])];
    this.plot.setData(this.data);
    this.describe();
  }

  describe() {
    const known = this.data[1].filter(value => value !== null);
    const {format} = this.options;
    this.box.setAttribute('aria-label', known.length === 0
      ? `${this.title}: nothing yet`
      : `${this.title}, last ${this.range === 'fine' ? '10 minutes' : 'hour'}: now ${format(known.at(-1))}, `
        + `from ${format(Math.min(...known))} to ${format(Math.max(...known))}`);
  }

  size() {
    return {width: Math.max(120, this.box.clientWidth), height: Math.max(60, this.box.clientHeight)};
  }

  draw() {
    this.plot?.destroy();
    const axis = {stroke: colour('faint'), font: '11px system-ui, sans-serif', grid: {stroke: colour('line'), width: 1}, ticks: {show: false}};
    this.plot = new uPlot({
      ...this.size(),
      padding: [6, 16, 0, 0],
      legend: {show: false},
      cursor: {drag: {x: false, y: false}, y: false, points: {size: 7}, sync: {key: 'sluice'}},
      scales: {
        x: {range: () => [this.begin(), this.end]},
        y: {range: (_, low, high) => [0, this.top(high)]},
      },
      axes: [
        {...axis, size: 24, gap: 4, space: 55, incrs: [60, 120, 300, 600, 900], grid: {show: false}, values: (_, ticks) => ticks.map(clock)},
        {...axis, size: 52, gap: 6, space: 30, incrs: this.options.steps, values: (_, ticks) => ticks.map(this.options.format)},
      ],
      series: [{}, ...this.options.lines.map((line, i) => ({
        stroke: colour(line.colour),
        width: 1.75,
        fill: i === 0 ? plot => shade(plot, colour(line.colour)) : undefined,
        points: {show: false},
      }))],
      hooks: {draw: [plot => this.drawThreshold(plot)], setCursor: [plot => this.read(plot)]},
    }, this.data, this.box);
  }

  begin() {
    const first = this.data[0][0] ?? this.end;
    return Math.max(this.end - WINDOW_SECONDS[this.range], Math.min(first, this.end - WINDOW_SECONDS_MIN));
  }

  /** An alert's threshold is part of the picture as soon as it is in sight. */
  top(high) {
    if (this.options.fixed) {
      return this.options.fixed;
    }
    const least = Math.max(high ?? 0, this.options.most) * 1.12;
    return this.threshold !== null && this.threshold < least * 2 ? Math.max(least, this.threshold * 1.15) : least;
  }

  drawThreshold(plot) {
    if (this.threshold === null || this.threshold > plot.scales.y.max) {
      return;
    }
    const y = plot.valToPos(this.threshold, 'y', true);
    const {ctx, bbox} = plot;
    ctx.save();
    ctx.strokeStyle = colour('bad');
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.restore();
  }

  /** Under the crosshair: the values of that time in place of the detail. */
  read(plot) {
    const {idx} = plot.cursor;
    const under = idx != null && this.data[0][idx] !== undefined;
    this.detail.dataset.reading = under ? 'yes' : '';
    if (under) {
      const values = this.options.lines.map((line, i) => {
        const value = this.data[i + 1][idx];
        return (line.name ? `${line.name} ` : '') + (value == null ? 'none' : this.options.format(value));
      });
      this.detail.textContent = `${clock(this.data[0][idx], true)}   ${values.join(' · ')}`;
    } else {
      this.detail.textContent = this.detail.dataset.text ?? '';
    }
  }
}

/** The text under a figure, which the crosshair may stand in for. */
export function detail(element, text) {
  element.dataset.text = text;
  if (!element.dataset.reading) {
    element.textContent = text;
  }
}

function clock(seconds, withSeconds) {
  const options = {hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(withSeconds === true ? {second: '2-digit'} : {})};
  return new Date(seconds * 1000).toLocaleTimeString([], options);
}

function shade(plot, base) {
  const {top, height} = plot.bbox;
  if (!Number.isFinite(top) || !Number.isFinite(height)) {
    return 'transparent';
  }
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  gradient.addColorStop(0, `${base}55`);
  gradient.addColorStop(1, `${base}08`);
  return gradient;
}
