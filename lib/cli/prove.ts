/** `conform prove`: the suite under test (DESIGN section 8). */
import { Command } from 'commander';

export function proveCommand(): Command {
  return new Command('prove').description('run the suites against every deviation, variant and trivial server');
}
