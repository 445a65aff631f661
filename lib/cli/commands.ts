/** The commands by name: one line on what each does, and how to load its module. */
import type { CommandEntry } from './command-entry.ts';

/** All commands, in the order of the help. Only the module of the one that is called is loaded. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    description:
      'run the suites against a target: the default one of targets.yaml or, without that file, the embedded reference',
    load: async () => (await import('./run.ts')).runCommand(),
  },
  {
    name: 'doctor',
    description: 'try the settings of a target with a few requests, and say what unlocks more',
    load: async () => (await import('./doctor.ts')).doctorCommand(),
  },
  {
    name: 'init',
    description: 'write a targets.yaml with every key explained; without --service it asks, on a terminal',
    load: async () => (await import('./init.ts')).initCommand(),
  },
  {
    name: 'list',
    description: 'list the requirements',
    load: async () => (await import('./list.ts')).listCommand(),
  },
  {
    name: 'explain',
    description: 'explain a requirement, or a check by its id',
    load: async () => (await import('./explain.ts')).explainCommand(),
  },
  {
    name: 'serve',
    description: 'serve the embedded reference on loopback, and print it as a target for a targets.yaml',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  {
    name: 'clean',
    description: 'undo what interrupted runs left on a target',
    load: async () => (await import('./clean.ts')).cleanCommand(),
  },
  {
    name: 'trust',
    description: 'trust the targets.yaml of a folder: it may start programs (hooks) and load plugins',
    load: async () => (await import('./trust.ts')).trustCommand(),
  },
  {
    name: 'baseline',
    description: 'write the failures of a run as known failures, for --known-failures',
    load: async () => (await import('./baseline.ts')).baselineCommand(),
  },
  {
    name: 'compare',
    description: 'what differs between two runs; with --html, several runs side by side',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  {
    name: 'merge',
    description: 'make one report of those of all shards of a run',
    load: async () => (await import('./merge.ts')).mergeCommand(),
  },
  {
    name: 'verify',
    description: 'whether a report is as it was signed, and by whom',
    load: async () => (await import('./verify.ts')).verifyCommand(),
  },
  {
    name: 'prove',
    description: 'run the suites against every deviation, variant and trivial server',
    load: async () => (await import('./prove.ts')).proveCommand(),
  },
  {
    name: 'completion',
    description: 'print a script that completes commands and flags: bash, zsh, fish',
    load: async () => (await import('./completion.ts')).completionCommand(COMMANDS),
  },
];
