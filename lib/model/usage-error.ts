/** Thrown for wrong usage or configuration: exit status 2, one clear message, and nothing is sent. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
