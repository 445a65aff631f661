/** The table of the benchmark, and what got worse since it was published. */
import type { Cost } from './jobs.ts';

/** The measurements of one line. */
export interface Row {
  name: string;
  unit: string;
  costs: Cost[];
}

const HEAD = ['', 'median ms', 'least to most', 'CPU ms', 'peak MB', 'count', 'a second', 'MB of bodies'];
/**
 * A figure counts as worse when it exceeds the published one
 * by this factor; smaller differences are due to the machine.
 */
const WORSE = 1.15;

/** Returns the table as Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ name, unit, costs }) => {
    const walls = costs.map(({ wallMs }) => wallMs);
    const wall = median(walls);
    const { count = 0, bytes, alike } = costs[0] ?? {};
    return [
      name,
      whole(wall),
      `${whole(Math.min(...walls))} to ${whole(Math.max(...walls))}`,
      whole(median(costs.map(({ cpuMs }) => cpuMs))),
      whole(median(costs.map(({ peakMb }) => peakMb))),
      `${count} ${unit}${alike === undefined ? '' : `, ${alike} answered as recorded`}`,
      (count / (wall / 1000)).toFixed(1),
      bytes === undefined ? '' : (bytes / 1_000_000).toFixed(1),
    ];
  });
  return [HEAD, ['---', ...HEAD.slice(1).map(() => '---:')], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');
}

/** Says how many times as long as the plain loop the suites take. */
export function factors(rows: readonly Row[]): string {
  const wall = (name: string) =>
    median(rows.find((row) => row.name === name)?.costs.map(({ wallMs }) => wallMs) ?? []);
  const plain = wall('plain loop');
  const of = (name: string) => (wall(name) / plain).toFixed(2);
  return `Times as long as the plain loop: ${of('suites, without reports')} without reports, ${of('suites, with reports')} with reports.\n`;
}

/**
 * Returns a message for each figure of a line that exceeds
 * the published one: time, CPU time, memory or count.
 */
export function worseThan(published: string, rows: readonly Row[]): string[] {
  const known = new Map(
    published
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map((cells) => [cells[1] as string, cells] as const),
  );
  return rows.flatMap(({ name, costs }) => {
    const cells = known.get(name);
    if (cells === undefined) return [];
    const now: [what: string, value: number, column: number][] = [
      ['ms', median(costs.map(({ wallMs }) => wallMs)), 2],
      ['ms of CPU', median(costs.map(({ cpuMs }) => cpuMs)), 4],
      ['MB', median(costs.map(({ peakMb }) => peakMb)), 5],
      ['requests or cases', costs[0]?.count ?? 0, 6],
    ];
    return now.flatMap(([what, value, column]) => {
      const before = Number.parseFloat(cells[column] ?? '');
      return value > before * WORSE ? [`${name}: ${whole(value)} ${what}, ${before} published`] : [];
    });
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function whole(value: number): string {
  return String(Math.round(value));
}
