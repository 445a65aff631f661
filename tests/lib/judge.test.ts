/** The seven verdicts of DESIGN section 5: what a check has to do to come to each of them. */
import { describe, expect, test } from 'vitest';
import type { CheckContext } from '../../lib/check/context.ts';
import { judge } from '../../lib/check/judge.ts';
import type { Requirement } from '../../lib/model/catalogue/types.ts';
import type { CheckResult } from '../../lib/model/results.ts';
import { Blocked, Skipped, Undecided, Violation } from '../../lib/model/verdict.ts';
import { shortReason } from '../../lib/report/evidence-text.ts';
import { blamed } from '../../lib/report/words.ts';
import { contextFor, requirement, scriptedClient } from './fakes.ts';

const A = requirement('A-ONE');
const B = requirement('A-TWO');
const ADVICE = requirement('A-ADVICE', { level: 'advised', standard: 'RFC 9110 1.1' });
const SILENCE = requirement('A-SILENCE', { level: 'silence', statement: 'What then?' });

const ALIVE = async () => {};

function judged(
  cited: Requirement[],
  body: (context: CheckContext) => unknown,
  alive: () => Promise<void> = ALIVE,
  http = scriptedClient({ status: 404, text: '{"message":"no"}' }).http,
): Promise<CheckResult> {
  const context = contextFor(cited, http);
  const facts = { id: cited[0]!.id, suite: 'a', spec: '1-a', cited, effects: 'read' as const };
  return judge(facts, context, async () => void (await body(context)), alive);
}

describe('a check', () => {
  test('that ends has passed, and says nothing more', async () => {
    const result = await judged([A], () => {});
    expect(result).toMatchObject({
      verdict: 'passed',
      verdicts: { 'A-ONE': 'passed' },
      findings: [],
      exchanges: [],
    });
    expect(result).not.toHaveProperty('reason');
  });

  test('that finds a violation has failed, and tells what was sent, what came, and what is said where', async () => {
    const result = await judged([A], async ({ http, expect: should }) => {
      const answer = await http.send({
        method: 'PUT',
        url: 'http://t.example/x',
        purpose: 'put it',
        body: { json: { a: 1 } },
      });
      should.status(answer, 200);
    });
    expect(result.verdict).toBe('failed');
    expect(result.findings).toEqual([
      {
        requirement: 'A-ONE',
        message: 'put it: the answer has status 404, not 200',
        exchange: 'x1',
        pointer: 'status',
        expected: '200',
        found: '404',
      },
    ]);
    expect(result.reason?.split('\n').map((line) => line.trim())).toEqual([
      'put it: the answer has status 404, not 200',
      'sent      PUT http://t.example/x {"a":1}',
      'received  404 {"message":"no"}',
      'expected  200 at status',
      'found     404',
      'says      What A-ONE says. (specification 1-a, section 4.1)',
    ]);
    expect(result.exchanges.map((exchange) => exchange.id)).toEqual(['x1']);
  });

  test('tells the request that did it beside the one that shows it', async () => {
    const result = await judged([A], async ({ http, expect: should }) => {
      const url = 'http://t.example/things/1';
      await http.send({ method: 'GET', url, purpose: 'read before' });
      await http.send({ method: 'PATCH', url, purpose: 'change it', body: { json: { a: 1 } } });
      await http.send({ method: 'PATCH', url: 'http://t.example/things/2', purpose: 'change another' });
      const after = await http.send({ method: 'GET', url: `${url}?x`, purpose: 'read after' });
      should.that(false, 'b is gone', { answer: after });
    });
    expect(result.findings).toMatchObject([{ by: 'x2', exchange: 'x4' }]);
    expect(result.reason).toMatch(/done by +PATCH \S+\/1 \{"a":1\}[\s\S]*shown by:\n +sent +GET/);
  });

  test('names first what does not hold, in its title and in what it says', async () => {
    const result = await judged([A, B], ({ expect: should }) => {
      should.holds('A-ONE');
      should.for('A-TWO').fail('it is otherwise');
    });
    expect(result.title).toBe('A-TWO: A-TWO holds');
    expect(result.reason).toContain('breaks    A-TWO');
    expect(blamed(result)).toBe('A-TWO');
    expect(shortReason(result, false)).toBe('A-TWO: it is otherwise');
  });

  test('of an advised statement warns, naming the standard', async () => {
    const result = await judged([ADVICE], ({ expect: should }) => should.fail('it is otherwise'));
    expect(result).toMatchObject({ verdict: 'warned', verdicts: { 'A-ADVICE': 'warned' } });
    expect(result.reason).toContain('(RFC 9110 1.1)');
  });

  test('whose precondition does not hold is blocked, and names what has to hold first', async () => {
    const result = await judged([A], () => {
      throw new Blocked('no token to be had', 'A-TOKEN');
    });
    expect(result).toMatchObject({ verdict: 'blocked', reason: 'no token to be had', blockedBy: 'A-TOKEN' });
  });

  test('without an answer is errored, and not failed', async () => {
    const result = await judged([A], () => {
      throw new Undecided('no answer within 10 s');
    });
    expect(result).toMatchObject({ verdict: 'errored', reason: 'no answer within 10 s' });
  });

  test('for which the configuration lacks something is skipped', async () => {
    const result = await judged([A], () => {
      throw new Skipped('set `targets.t.x`');
    });
    expect(result).toMatchObject({
      verdict: 'skipped',
      reason: 'set `targets.t.x`',
      verdicts: { 'A-ONE': 'skipped' },
    });
  });

  test('with a programming error fails no requirement', async () => {
    const result = await judged([A], () => {
      (undefined as unknown as { x: string }).x.trim();
    });
    expect(result.verdict).toBe('errored');
    expect(result.reason).toMatch(/^a mistake in the suite itself, please report it: TypeError: /);
    expect((await judged([A], () => Promise.reject('text'))).reason).toContain('report it: text');
  });

  test('that rests on a shared fixture at odds with another requirement is blocked by that one', async () => {
    const result = await judged([A], () => {
      throw new Violation([{ requirement: 'A-OTHER', message: 'the twin is refused' }]);
    });
    expect(result).toMatchObject({
      verdict: 'blocked',
      blockedBy: 'A-OTHER',
      verdicts: { 'A-ONE': 'blocked' },
      findings: [],
    });
  });
});

describe('a silence', () => {
  test('that was described is observed', async () => {
    const result = await judged([SILENCE], ({ observe }) => observe('This.'));
    expect(result).toMatchObject({
      verdict: 'observed',
      observations: [{ id: 'A-SILENCE', question: 'What then?', answer: 'This.' }],
    });
  });

  test('that was not described is blocked, and never passed', async () => {
    expect(await judged([SILENCE], () => {})).toMatchObject({ verdict: 'blocked', observations: [] });
  });

  test('cannot be observed by a check that does not cite it', async () => {
    const result = await judged([A], ({ observe }) => observe('This.', 'A-SILENCE'));
    expect(result.reason).toContain('A-SILENCE is not a silence that this check cites');
  });
});

describe('a check of several requirements', () => {
  test('decides each on its own', async () => {
    const result = await judged([A, B], ({ expect: should }) => {
      should.holds('A-TWO');
      should.fail('A-ONE does not hold');
    });
    expect(result).toMatchObject({ verdict: 'failed', verdicts: { 'A-ONE': 'failed', 'A-TWO': 'passed' } });
  });

  test('leaves open what a failure kept it from looking at', async () => {
    const result = await judged([A, B], ({ expect: should }) => should.for('A-TWO').fail('no'));
    expect(result.verdicts).toEqual({ 'A-ONE': 'blocked', 'A-TWO': 'failed' });
    expect(result.verdict).toBe('failed');
  });

  test('fails softly and goes on', async () => {
    const result = await judged([A, B], ({ expect: should }) => {
      should.soft('A-ONE', (it) => it.fail('first'));
      should.soft('A-TWO', () => {});
      should.soft('A-ONE', () => {});
    });
    expect(result).toMatchObject({ verdict: 'failed', verdicts: { 'A-ONE': 'failed', 'A-TWO': 'passed' } });
    expect(result.findings.map((f) => f.message)).toEqual(['first']);
  });

  test('is warned where only the advice is at odds', async () => {
    const result = await judged([A, ADVICE], ({ expect: should }) => {
      should.holds('A-ONE');
      should.for('A-ADVICE').fail('no');
    });
    expect(result).toMatchObject({
      verdict: 'warned',
      verdicts: { 'A-ONE': 'passed', 'A-ADVICE': 'warned' },
    });
  });

  test('cannot blame or clear what it does not cite', async () => {
    for (const body of [
      ({ expect: should }: CheckContext) => should.for('A-TWO'),
      ({ expect: should }: CheckContext) => should.holds('A-TWO'),
    ]) {
      expect((await judged([A], body)).reason).toContain('does not cite A-TWO');
    }
  });
});

describe('the sign of life', () => {
  const dead = async () => {
    throw new Blocked('it answers everything alike', 'A-ALIVE');
  };
  const mute = async () => {
    throw new Undecided('no answer');
  };

  test('is required before anything passes', async () => {
    const result = await judged([A], () => {}, dead);
    expect(result).toMatchObject({
      verdict: 'blocked',
      reason: 'it answers everything alike',
      blockedBy: 'A-ALIVE',
    });
    expect(await judged([A], () => {}, mute)).toMatchObject({
      verdict: 'errored',
      verdicts: { 'A-ONE': 'errored' },
    });
  });

  test('takes back what passed beside a failure, and leaves the failure', async () => {
    const result = await judged(
      [A, B],
      ({ expect: should }) => {
        should.holds('A-TWO');
        should.fail('no');
      },
      dead,
    );
    expect(result).toMatchObject({ verdict: 'failed', verdicts: { 'A-ONE': 'failed', 'A-TWO': 'blocked' } });
  });

  test('is not asked for where nothing passed', async () => {
    let asked = 0;
    const counting = async () => {
      asked += 1;
    };
    await judged([A], ({ expect: should }) => should.fail('no'), counting);
    await judged([SILENCE], ({ observe }) => observe('This.'), counting);
    await judged([A], ({ skip }) => skip('no key'), counting);
    expect(asked).toBe(0);
    await judged([A], () => {}, counting);
    expect(asked).toBe(1);
  });
});
