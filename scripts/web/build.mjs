import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url))
/** Bytes below which compression does not pay. */
const LEAST = 600

/** Builds the dashboard into a folder, with compressed forms beside its assets. */
export async function buildWeb(folder) {
  await build({ configFile: CONFIG, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } })
  const assets = readdirSync(join(folder, 'assets')).map((name) => join(folder, 'assets', name))
  await Promise.all(assets.map(compress))
}

async function compress(path) {
  const plain = readFileSync(path)
  if (plain.length < LEAST) return
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  writeFileSync(`${path}.br`, await promisify(brotliCompress)(plain, quality))
  writeFileSync(`${path}.gz`, await promisify(gzip)(plain, { level: 9 }))
}

// Tests run in another mode, in which another React would be built.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.NODE_ENV = 'production'
  await buildWeb(process.argv[2])
}
