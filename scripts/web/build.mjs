import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { writeLicences } from '../server/licences.mjs'
import { writePreloads } from './preloads.mjs'

const CONFIG = fileURLToPath(new URL('../../web/vite.config.ts', import.meta.url))
/** Bytes below which compression does not pay. */
const LEAST = 600

/** Languages besides English, which `web/languages.ts` knows. */
const TRANSLATIONS = ['de']

/**
 * Builds the dashboard into a folder, with compressed forms beside its assets. The pages of another language stand in
 * the folder of its name. All share the assets that hold no words.
 */
export async function buildWeb(folder) {
  const { output } = await build({ configFile: CONFIG, mode: 'production', logLevel: 'warn', build: into(folder) })
  writeLicences(output, folder)
  writePreloads(folder)
  const shared = join(folder, 'assets')
  for (const language of TRANSLATIONS) {
    const own = join(folder, language)
    await build({ configFile: CONFIG, mode: language, logLevel: 'warn', build: into(own) })
    writePreloads(own)
    for (const name of readdirSync(join(own, 'assets')))
      if (!existsSync(join(shared, name))) renameSync(join(own, 'assets', name), join(shared, name))
    rmSync(join(own, 'assets'), { recursive: true })
  }
  await Promise.all(readdirSync(shared).map((name) => compress(join(shared, name))))
}

function into(outDir) {
  return { outDir, emptyOutDir: true }
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
