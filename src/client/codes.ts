import type { codes } from './schema.d.ts'

/** A code that the service gives. */
export type ErrorCode = codes[keyof codes]

/**
 * Failures that no answer of the service names. `no_answer`: no connection, or it broke. `timed_out`: the time limit of
 * the request passed. `unreadable_answer`: something else than Earshot answered. `unknown_code`: the service is newer
 * than this client, and `unknownCode` has its code.
 */
export type ClientCode = 'no_answer' | 'timed_out' | 'unreadable_answer' | 'unknown_code'
