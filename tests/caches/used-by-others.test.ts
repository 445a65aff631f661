/** Figures of an organization are not judged where somebody else used one of its repositories meanwhile. */
import { expect, test } from 'vitest';
import type { Place } from '../../services/caches/api/places.ts';
import {
  changedElsewhere,
  type UsageStep,
  type UsageTimeline,
} from '../../services/caches/fixtures/usage-timeline.ts';

const place = (name: string): Place => ({ level: 'repository', names: ['Octo', name] });

/** A step at which the named repositories have so many caches. */
function stepOf(counts: Record<string, number>): UsageStep {
  const items = Object.entries(counts).map(([name, count]) => ({ name, size: count, count }));
  const pages = [{ items, total: items.length }];
  return { reading: { pages } } as unknown as UsageStep;
}

function timelineOf(...counts: [begin: object, created: object, deleted: object]): UsageTimeline {
  const [begin, created, deleted] = counts.map((each) => stepOf(each as Record<string, number>));
  const places = { manyRepository: place('many'), fewRepository: place('few') };
  return { ...places, begin, created, large: 'no room', deleted } as unknown as UsageTimeline;
}

test('a repository of others is noticed, also where it is used for a while only', () => {
  const begin = { 'octo/many': 9, 'octo/few': 1, 'octo/other': 3 };
  const created = { ...begin, 'octo/few': 5 };
  expect(changedElsewhere(timelineOf(begin, created, begin))).toEqual([]);
  expect(changedElsewhere(timelineOf(begin, { ...created, 'octo/other': 4 }, begin))).toEqual(['octo/other']);
  expect(changedElsewhere(timelineOf(begin, created, { 'octo/few': 1, 'octo/many': 9 }))).toEqual([
    'octo/other',
  ]);
});
