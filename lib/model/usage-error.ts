/**
 * Thrown for wrong usage or configuration: the program prints the message and exits with status 2, nothing
 * sent.
 */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
