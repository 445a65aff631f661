/** What the benchmark measures, each in a process of its own: `bench/child.ts` does one job and tells what it cost. */
import type { HeaderPair } from '../lib/model/results.ts';

/** One request to be sent; `path` is below the reference's address. */
export interface PlainRequest {
  method: string;
  path: string;
  headers: HeaderPair[];
  body: string | undefined;
}

/** One thing that is measured. */
export type Job =
  /** Sends recorded requests to the reference and does nothing else. */
  | { do: 'plain'; requests: string; latencyMs?: number }
  /** Runs suites against the reference. */
  | {
      do: 'run';
      suites?: string[];
      grep?: string[];
      /** Writes reports to a folder of its own. */
      reports?: boolean;
      /** Each request is held back by so many milliseconds. */
      latencyMs?: number;
      lanes?: number;
      /** Sends nothing: what is left is the start. */
      startOnly?: boolean;
      /** So many addresses, and so many caches, are there before. */
      existing?: number;
      /** Writes the requests that were sent to a file. */
      record?: string;
    }
  /** Proves the suites against some cases. */
  | { do: 'prove'; only: string[]; reached: boolean };

/** What a job cost. */
export interface Cost {
  /** From the start of the process, in milliseconds. */
  wallMs: number;
  /** Of the processors, user and system, all threads, in milliseconds. */
  cpuMs: number;
  /** Most memory that it had at once, in megabytes. */
  peakMb: number;
  /** Requests sent, or cases proved. */
  count: number;
  /** Bodies sent and received, in bytes; where it is known. */
  bytes?: number;
}
