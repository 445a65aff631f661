/**
 * What the benchmark measures, each in a process of its
 * own: `bench/child.ts` runs one job and prints its cost.
 */
import type { JSONWebKeySet } from 'jose';
import type { HeaderPair } from '../lib/model/results.ts';

/** A request that was sent, and how it was answered. */
export interface SentRequest {
  method: string;
  url: string;
  headers: HeaderPair[];
  body: string | undefined;
  /**
   * When it was sent, in milliseconds since the epoch, by the clock of the machine. That of the reference was
   * moved further on.
   */
  at: number;
  status: number;
}

/** The requests of a run, and what the reference needs in order to answer them in the same way again. */
export interface Recording {
  /** Address of the reference. */
  url: string;
  /** The identity provider that it trusts, and its public keys. */
  issuer: string;
  jwks: JSONWebKeySet;
  requests: SentRequest[];
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
      /** Each request is delayed by this number of milliseconds. */
      latencyMs?: number;
      lanes?: number;
      /** Sends nothing, so that only the start is measured. */
      startOnly?: boolean;
      /** How many addresses, and how many caches, exist before the run. */
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
  /** CPU time, user and system, of all threads, in milliseconds. */
  cpuMs: number;
  /** Peak memory, in megabytes. */
  peakMb: number;
  /** Requests sent, or cases proved. */
  count: number;
  /** Bodies sent and received, in bytes, where known. */
  bytes?: number;
  /** How many of the recorded requests were answered with the same status as in the recording. */
  alike?: number;
}
