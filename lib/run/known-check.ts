/** What is known of a check before it runs. */
export interface KnownCheck {
  id: string;
  suite: string;
  /** Ids of the requirements that it cites. */
  requirements: string[];
}

/** Name of the file that the build writes beside the compiled code. */
export const KNOWN_CHECKS = 'checks.json';
