import { tmpdir } from 'node:os'

/**
 * Where large databases are made. BENCH_STORES names a folder in which they are kept for later runs; without it they
 * are removed with everything else of a run.
 */
export function storesFolder(): string {
  return process.env['BENCH_STORES'] ?? tmpdir()
}
