import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import type { BenchRow } from '../contract.ts'

/** What a page may load for the client package, minified and gzipped, in bytes. */
export const CLIENT_BYTES_MAX = 15_000

const ENTRY = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))

/** The whole client package as one minified script. */
export async function bundledClient(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    build: {
      write: false,
      minify: 'oxc',
      target: 'es2022',
      rolldownOptions: { input: ENTRY, preserveEntrySignatures: 'strict' },
    },
  })
  const outputs = [built].flat() as Rolldown.RolldownOutput[]
  const chunks = outputs.flatMap(({ output }) => output).filter((part) => part.type === 'chunk')
  if (chunks.length !== 1) throw new Error(`the client became ${chunks.length} scripts`)
  return chunks[0]!.code
}

export async function clientRows(): Promise<BenchRow[]> {
  const bytes = gzipSync(await bundledClient(), { level: 9 }).length
  const must = CLIENT_BYTES_MAX / 1000
  return [{ measure: 'client package, minified and gzipped', value: bytes / 1000, unit: 'kB', must, better: 'lower' }]
}
