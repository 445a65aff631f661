import type { Command } from 'commander';

/** A command before its module is loaded. */
export interface CommandEntry {
  name: string;
  /** What the list of commands says of it. */
  description: string;
  /** Loads the module and makes the command. */
  load(): Promise<Command>;
}
