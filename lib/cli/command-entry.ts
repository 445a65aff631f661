import type { Command } from 'commander';

/** A command before its module is loaded. */
export interface CommandEntry {
  name: string;
  /** Its line in the list of commands. */
  description: string;
  /** Loads the module and creates the command. */
  load(): Promise<Command>;
}
