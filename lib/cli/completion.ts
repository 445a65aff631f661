/** `conform completion SHELL`: prints a script that completes commands and flags. */
import { Argument, Command } from 'commander';
import type { CommandEntry } from './command-entry.ts';

/** What a shell has to know of a command to complete it. */
export interface Completable {
  name: string;
  description: string;
  /** Its flags as they are typed, such as `--target`. */
  flags: string[];
}

export function completionCommand(commands: readonly CommandEntry[]): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      '\nbash: eval "$(conform completion bash)"\nzsh:  eval "$(conform completion zsh)"\nfish: conform completion fish | source',
    )
    .action(async (shell: string) => {
      process.stdout.write(SCRIPTS[shell]!(await completables(commands)));
    });
}

async function completables(commands: readonly CommandEntry[]): Promise<Completable[]> {
  return Promise.all(
    commands.map(async ({ name, description, load }) => ({
      name,
      description,
      flags: [...(await load()).options.flatMap(({ long }) => (long ? [long] : [])), '--help'],
    })),
  );
}

const SCRIPTS: Readonly<Record<string, (commands: readonly Completable[]) => string>> = { bash, zsh, fish };

function cases(commands: readonly Completable[]): string {
  return commands.map(({ name, flags }) => `    ${name}) flags="${flags.join(' ')}" ;;`).join('\n');
}

/** Whatever is not a flag is completed as a file: folders of reports, configurations. */
function bash(commands: readonly Completable[]): string {
  return `_conform() {
  local current="\${COMP_WORDS[COMP_CWORD]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases(commands)}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
  esac
}
complete -o default -F _conform conform
`;
}

function zsh(commands: readonly Completable[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${description.replaceAll("'", '')}'`);
  return `#compdef conform
_conform() {
  local flags="" commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${cases(commands)}
  esac
  case "$PREFIX" in
    -*) compadd -- \${=flags} ;;
    *) _files ;;
  esac
}
compdef _conform conform
`;
}

function fish(commands: readonly Completable[]): string {
  const lines = commands.flatMap(({ name, description, flags }) => [
    `complete -c conform -n __fish_use_subcommand -f -a ${name} -d '${description.replaceAll("'", "\\'")}'`,
    ...flags.map(
      (flag) => `complete -c conform -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}
