import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { adapterFiles } from '../../scripts/documents/adapters.ts'
import { PLATFORMS } from '../domain/platform/platforms.ts'

const PROJECT = join(import.meta.dirname, '../..')
const RECIPE = textOf('docs/recipes/add-a-source.md')

/** Texts by path, which stand in place of the files of the project; null for a file that is not there. */
type Files = Readonly<Record<string, string | null>>

/** What people write of a made-up platform, as the recipe says. */
const BY_HAND: Readonly<Record<string, string>> = {
  'src/domain/platform/quibble.ts': `
import type { SearchFacts } from './facts.ts'
import { nobody, oneOf } from './links.ts'

export const quibble: SearchFacts = {
  number: 30,
  name: 'Quibble',
  glyph: { letters: 'qu', colour: '#111111' },
  mode: 'search',
  readsWholeFeed: true,
  pollSeconds: 60,
  longestLookBackDays: 0,
  feedHosts: ['quibble.example'],
  writing: { family: 'forum', venue: null, mostlyEnglish: true },
  links: {
    owns: oneOf('quibble.example'),
    authorIn: () => nobody('this link of Quibble'),
    profileOfHandle: null,
    profileOfId: null,
    postIdIn: null,
  },
  handles: null,
}
`,
  'src/domain/platform/platforms.ts': textOf('src/domain/platform/platforms.ts')
    .replace('import ', "import { quibble } from './quibble.ts'\nimport ")
    .replace('  instagram,\n', '  instagram,\n  quibble,\n'),
  'src/sources/quibble/wire.ts': `
import { z } from 'zod'

export const list = z.array(z.unknown())
export const quip = z.object({ id: z.string(), text: z.string(), at: z.string() })
export type Quip = z.infer<typeof quip>
`,
  'src/sources/quibble/to-post.ts': `
import type { Post } from '../../domain/post/post.ts'
import { normalPost } from '../normal-post.ts'
import type { Quip } from './wire.ts'

export function toPost({ id, text, at }: Quip, now: Date): Post | null {
  const url = \`https://quibble.example/\${id}\`
  return normalPost({ platform: 'quibble', nativeId: id, url, text, publishedAt: new Date(at) }, now)
}
`,
  'src/sources/quibble/source.ts': `
import { PLATFORM_FACTS } from '../../domain/platform/platforms.ts'
import type { StreamSource } from '../contract.ts'
import { listedItems, pollNewest } from '../newest-lists.ts'
import { readItems } from '../read-items.ts'
import { readJson } from '../reply-fault.ts'
import { toPost } from './to-post.ts'
import { list, quip } from './wire.ts'

export function quibble({ key }: { key: string }): StreamSource {
  return {
    platform: 'quibble',
    hosts: ['quibble.example'],
    limits: [{ quota: 'requests', kind: 'paced', most: 60, perSeconds: 60, burst: 5 }],
    mode: 'stream',
    pollSeconds: PLATFORM_FACTS.quibble.pollSeconds,
    poll: (context, cursor) =>
      pollNewest(context, cursor, {
        platform: 'quibble',
        lists: ['quips'],
        mostPages: 3,
        overlapSeconds: 600,
        arriveLate: false,
        mostIds: 500,
        async read(context, _, page) {
          const url = \`https://quibble.example/new/\${page}\`
          const reply = await context.fetch(url, { headers: { authorization: key }, cost: { requests: 1 } })
          const found = readItems(readJson(reply, list, context.at), quip, context, 'quibble')
          return listedItems(found.map((item) => toPost(item, context.at)))
        },
      }),
  }
}
`,
  'src/sources/quibble/settings.ts': `
import { key } from '../../kernel/setting-forms.ts'
import type { SettingsTable } from '../../kernel/settings.ts'

export const SETTINGS = {
  QUIBBLE_KEY: key('A key for the interface of Quibble.', 'Quibble is not collected', {
    from: ['https://quibble.example/keys'],
    price: null,
  }),
} satisfies SettingsTable
`,
  'src/sources/quibble/setup.ts': `
import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { quibble } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({ QUIBBLE_KEY: key }) =>
  key ? quibble({ key }) : { missing: ['QUIBBLE_KEY'] }
`,
}

const ORDERED = PLATFORMS.flatMap((platform) => (platform === 'instagram' ? [platform, 'quibble'] : [platform]))
const isInFolder = (path: string) => path.startsWith('src/sources/quibble/')
const GENERATED = adapterFiles(ORDERED, (platform) =>
  platform === 'quibble' ? 'src/sources/quibble/settings.ts' in BY_HAND : existsSync(folderOf(platform, 'settings.ts')),
)
const QUIBBLE: Files = { ...BY_HAND, ...Object.fromEntries(GENERATED) }

const without = (path: string, part: RegExp): Files => ({ ...QUIBBLE, [path]: QUIBBLE[path]!.replace(part, '') })

/** What is left out, by the words of the recipe. */
const LEFT_OUT: Readonly<Record<string, Files>> = {
  'a fact': without('src/domain/platform/quibble.ts', / {2}glyph: .*\n/),
  'the line in the table': without('src/domain/platform/platforms.ts', / {2}quibble,\n/),
  'the file of facts': { ...QUIBBLE, 'src/domain/platform/quibble.ts': null },
  '`setup.ts`': { ...QUIBBLE, 'src/sources/quibble/setup.ts': null },
  'the settings in `settings.ts`': without('src/sources/quibble/settings.ts', / {2}QUIBBLE_KEY(?:.*\n)+? {2}\}\),\n/),
  '`npm run generate`': { ...QUIBBLE, 'src/sources/adapters.ts': textOf('src/sources/adapters.ts') },
}

describe('the recipe for a source', () => {
  test('names only files that are there', () => {
    const named = [...RECIPE.matchAll(/`(src\/[\w./-]+\.(?:test\.|suite\.)?ts)`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([])
    const shared = [...RECIPE.matchAll(/`([a-z-]+\.ts)` \(/g)].map(([, name = '']) => name)
    expect(shared.length).toBeGreaterThan(5)
    expect(shared.filter((name) => !existsSync(join(import.meta.dirname, name)))).toEqual([])
  })

  test('asks for a folder, a file of facts and one line by hand', () => {
    const elsewhere = Object.keys(BY_HAND).filter((path) => !isInFolder(path))
    expect(elsewhere).toEqual(['src/domain/platform/quibble.ts', 'src/domain/platform/platforms.ts'])
    const before = textOf('src/domain/platform/platforms.ts').split('\n')
    const added = BY_HAND['src/domain/platform/platforms.ts']!.split('\n').filter((line) => !before.includes(line))
    expect(added).toEqual(["import { quibble } from './quibble.ts'", '  quibble,'])
    for (const path of GENERATED.keys()) expect(RECIPE).toContain(`\`${path}\``)
    for (const path of Object.keys(BY_HAND).filter(isInFolder))
      expect(RECIPE).toContain(`\`${path.slice('src/sources/quibble/'.length)}\``)
  })

  test('names every fact', () => {
    const facts = QUIBBLE['src/domain/platform/quibble.ts']!.matchAll(/^ {2}(\w+):/gm)
    for (const [, fact] of facts) expect(RECIPE).toContain(`\`${fact}\``)
  })

  test('gives a made-up platform that the compiler accepts', { timeout: 120_000 }, () => {
    expect(complaintsAbout(QUIBBLE)).toEqual([])
  })

  test.each(Object.keys(LEFT_OUT))('tells where the compiler complains without %s', { timeout: 120_000 }, (what) => {
    const row = RECIPE.split('\n').find((line) => line.startsWith(`| ${what} |`)) ?? ''
    const file = row.match(/the compiler, in `([^`]+)`/)?.[1]?.replaceAll('<platform>', 'quibble')
    expect(complaintsAbout(LEFT_OUT[what]!)).toContain(file)
  })
})

function folderOf(platform: string, file: string): string {
  return join(import.meta.dirname, platform, file)
}

/** Unchanged files are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** The files in which the compiler finds something wrong. */
function complaintsAbout(files: Files): string[] {
  const { config } = ts.readConfigFile(join(PROJECT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, PROJECT)
  const host = ts.createCompilerHost(options)
  const given = new Map(Object.entries(files).map(([path, text]) => [join(PROJECT, path), text]))
  const { fileExists, readFile, getSourceFile } = host
  // The folder of the made-up platform is not on the disk.
  host.directoryExists = () => true
  host.fileExists = (path) => (given.has(path) ? given.get(path) !== null : fileExists(path))
  host.readFile = (path) => (given.has(path) ? (given.get(path) ?? undefined) : readFile(path))
  host.getSourceFile = (path, target, ...others) => {
    const text = given.get(path)
    if (typeof text === 'string') return ts.createSourceFile(path, text, target)
    if (!parsed.has(path)) parsed.set(path, getSourceFile(path, target, ...others))
    return parsed.get(path)
  }
  const roots = ['src/sources/registry.ts', 'src/sources/quibble/source.ts'].map((path) => join(PROJECT, path))
  const program = ts.createProgram(roots, options, host)
  return Object.keys(files).filter((path) => {
    const file = program.getSourceFile(join(PROJECT, path))
    return file !== undefined && program.getSemanticDiagnostics(file).length > 0
  })
}

function textOf(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}
