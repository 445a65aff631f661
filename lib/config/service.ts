/** What a service says about its part of the configuration. */
import type { TargetPart } from '../../schemas/targets.ts';

/** Where a configuration was read from. */
export interface ConfigurationFile {
  /** The folder of the file: paths in the configuration are relative to it. */
  folder: string;
  /** `file:line` of a key of the service's part, for messages. */
  place(path: readonly string[]): string;
}

/** The configuration of one service. `Config` is what its schema describes. */
export interface ServiceConfiguration<Config extends object = object> extends TargetPart {
  /**
   * Fills in defaults and reads what the configuration only points at.
   * @throws UsageError for a value that the schema cannot judge
   */
  normalise(config: Config, file: ConfigurationFile): Config;
  /** The addresses of the service by what they are, for reports. */
  urls(config: Config): Record<string, string>;
}

/** An address without the slashes at its end. */
export function trimmedUrl(url: string): string {
  return url.replace(/\/+$/, '');
}
