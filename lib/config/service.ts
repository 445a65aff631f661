/** What a service provides for its part of the configuration. */
import type { TargetPart } from '../../schemas/targets.ts';

/** Where a configuration was read from. */
export interface ConfigurationFile {
  /** The folder of the file, which paths in the configuration are relative to. */
  folder: string;
  /** Returns `file:line` of a key of the service's part, for messages. */
  place(path: readonly string[]): string;
}

/** The configuration of one service. `Config` is what its schema describes. */
export interface ServiceConfiguration<Config extends object = object> extends TargetPart {
  /**
   * Returns the configuration with defaults filled in and the files read that it refers to.
   * @throws UsageError for an invalid value that the schema cannot detect
   */
  normalise(config: Config, file: ConfigurationFile): Config;
  /** Returns the addresses of the service, each by a name that says what it is for, for reports. */
  urls(config: Config): Record<string, string>;
}

/** Returns an address without the slashes at its end. */
export function trimmedUrl(url: string): string {
  return url.replace(/\/+$/, '');
}
