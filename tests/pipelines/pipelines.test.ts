/** The files for pipelines: the steps run as they stand, nothing of an input is evaluated. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../lib/model/paths.ts';
import type { RunReport } from '../../lib/model/results.ts';
import { codeQuality, githubAnnotations } from '../../lib/report/annotations.ts';
import { running, temporaryFolder } from '../lib/conform.ts';
import { sampleReport } from '../report/sample.ts';

const text = (path: string): string => readFileSync(join(packageRoot(), path), 'utf8');

/** A folder of a user who has installed the package. */
function installed(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(packageRoot(), join(folder, 'node_modules', 'api-conformance'));
  symlinkSync(join(packageRoot(), 'bin', 'conform.js'), join(folder, 'node_modules', '.bin', 'conform'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(folder, 'targets.yaml'), 'default: ours\ntargets:\n  ours:\n    embedded: true\n');
  return folder;
}

interface Step {
  run?: string;
  uses?: string;
  env?: Record<string, string>;
}

describe('the action', () => {
  const action = parse(text('action.yml')) as {
    inputs: Record<string, { description: string; default: string }>;
    runs: { using: string; steps: Step[] };
  };

  test('no expression stands in a script; every input reaches the step as a variable', () => {
    const { steps } = action.runs;
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
    const values = Object.values(steps[0]!.env ?? {});
    for (const name of Object.keys(action.inputs).filter((each) => each !== 'artifact')) {
      expect(values, name).toContain(`\${{ inputs.${name} }}`);
    }
    const read = [...text('ci/github-step.sh').matchAll(/\$\{(INPUT_\w+)/g)].map(([, name]) => name);
    expect([...new Set([...read, 'INPUT_VERSION'])].sort()).toEqual(
      Object.keys(steps[0]!.env ?? {})
        .filter((name) => name.startsWith('INPUT_'))
        .sort(),
    );
  });

  test('its step runs the suites, writes the summary, prints annotations, tells the status', async () => {
    const cwd = installed();
    const [summary, output] = [join(cwd, 'summary'), join(cwd, 'output')];
    const { code, stdout, stderr } = await running('bash', [join(packageRoot(), 'ci/github-step.sh')], {
      cwd,
      env: {
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_OUTPUT: output,
        INPUT_SUITE: 'oauth-token',
        INPUT_MIN_EXERCISED: '100%',
        INPUT_OUT: 'reports/a folder',
        npm_config_loglevel: 'error',
      },
    });
    expect(code, stderr).toBe(0);
    expect(readFileSync(output, 'utf8')).toBe('report=reports/a folder/report.json\nstatus=0\n');
    expect(readFileSync(summary, 'utf8')).toContain('No violation found');
    expect(stdout).toMatch(/^::notice file=targets\.yaml,line=3,title=No violation found::/m);
  });

  test('what stands in an input is not evaluated', async () => {
    const cwd = installed();
    const evil = '$(touch evaluated) `touch evaluated`; touch evaluated';
    await running('bash', [join(packageRoot(), 'ci/github-step.sh')], {
      cwd,
      env: {
        INPUT_TARGET: evil,
        INPUT_SUITE: evil,
        INPUT_BUDGET: evil,
        INPUT_MAX_TIME: evil,
        GITHUB_OUTPUT: join(cwd, 'output'),
        npm_config_loglevel: 'error',
      },
    });
    expect(existsSync(join(cwd, 'evaluated'))).toBe(false);
    expect(readFileSync(join(cwd, 'output'), 'utf8')).toBe('status=2\n');
  });
});

describe('annotations', () => {
  const report: RunReport = sampleReport();

  test('GitHub: one command a failure, at the target; what a target says ends no command and begins none', () => {
    const hostile = structuredClone(report);
    for (const check of hostile.checks) {
      for (const finding of check.findings) finding.message = 'x\n::set-output name=a::b\r%0A';
    }
    const lines = githubAnnotations(hostile, { path: 'a,b:c.yaml', line: 7 }).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) file=a%2Cb%3Ac\.yaml,line=7,title=[^:]*::/);
      expect(line).not.toMatch(/%0A$|\r/);
    }
  });

  test('GitLab: an issue for each failure that is not known, with a fingerprint of its own', () => {
    const failed = report.requirements.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
    const known = failed.slice(0, 1);
    const issues = JSON.parse(codeQuality({ ...report, known })) as {
      check_name: string;
      fingerprint: string;
    }[];
    expect(issues.map((issue) => issue.check_name).sort()).toEqual(failed.slice(1).sort());
    expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
  });
});

test('the template for GitLab runs as a script, and its artifacts are there', async () => {
  const job = (parse(text('ci/gitlab.yml')) as Record<string, { script: string[]; artifacts: object }>)[
    '.conformance'
  ]!;
  const cwd = installed();
  // The package is installed already.
  const script = job.script.filter((line) => !line.startsWith('npm ci')).join('\n');
  const { code, stderr } = await running('bash', ['-euc', script], {
    cwd,
    env: { CONFORM_ARGS: '--grep TOKEN-ISSUE-STATUS', npm_config_loglevel: 'error' },
  });
  expect(code, stderr).toBe(0);
  const { reports } = job.artifacts as { reports: Record<string, string> };
  for (const path of Object.values(reports)) expect(existsSync(join(cwd, path)), path).toBe(true);
});

test.each(['.github/workflows/ci.yml', '.github/workflows/release.yml'])(
  '%s: every script of the package that it runs exists, no expression stands in a script',
  (path) => {
    const { jobs } = parse(text(path)) as { jobs: Record<string, { steps: Step[] }> };
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> };
    for (const { run = '' } of Object.values(jobs).flatMap((job) => job.steps)) {
      expect(run).not.toContain('${{');
      for (const [, name] of run.matchAll(/npm run (?:--silent )?([\w:]+)/g))
        expect(scripts).toHaveProperty(name!);
    }
  },
);

test('the matrix tests what the package says it runs on', () => {
  const { jobs } = parse(text('.github/workflows/ci.yml')) as {
    jobs: { test: { strategy: { matrix: { node: string[] } } } };
  };
  expect(jobs.test.strategy.matrix.node).toEqual(['20.19', '22', '24']);
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe('>=20.19.0');
});

test('the container is unprivileged, and names files that exist', () => {
  const file = text('Containerfile');
  expect(file).toMatch(/^USER node$/m);
  expect(file.lastIndexOf('USER node')).toBeGreaterThan(file.lastIndexOf('RUN '));
  expect(file).toMatch(/^ENTRYPOINT \["conform"\]$/m);
});
