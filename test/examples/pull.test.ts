import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Verdict } from '../../src/domain/mention/classification.ts'
import type { Post } from '../../src/domain/post/post.ts'
import { MINUTE_MS } from '../../src/kernel/clock.ts'
import { parseCsv } from '../csv.ts'
import { makeKeyword, mention, score, type TestKeyword } from '../mentions.ts'
import { useFreshWorkspace, useWorld } from '../use-world.ts'
import { HOSTILE, readExample } from './deliveries.ts'

const world = useWorld()
const acme = useFreshWorkspace(world, 'Acme')
let keyword: TestKeyword
beforeEach(async () => {
  world.clock.set(new Date(Date.now() - MINUTE_MS))
  keyword = await makeKeyword(acme, { term: 'Rocket' })
})

async function addMention(post: Partial<Post>, verdict: Partial<Verdict> = { intents: ['bug_report'] }) {
  await score(world, [await mention(world, keyword, post)], verdict)
  // The list of the oldest leaves out the last seconds.
  await world.clock.advance(5000)
}

describe('the GitHub Action', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'earshot-action-'))
    writeFileSync(join(folder, 'gh'), '#!/bin/sh\nprintf "%s\\n" "$@" > gh-arguments\n')
    chmodSync(join(folder, 'gh'), 0o755)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** The `run:` blocks of the workflow. */
  const [readStep = '', issueStep = ''] = blocksOf(readExample('github-action.yml'))
  const inFolder = (name: string) => readFileSync(join(folder, name), 'utf8')

  async function run(script: string, environment: Record<string, string> = {}): Promise<void> {
    for (const name of ['output', 'summary']) writeFileSync(join(folder, name), '')
    const env = {
      PATH: `${folder}:${process.env['PATH']}`,
      EARSHOT_URL: world.origin,
      EARSHOT_API_KEY: acme.readKey,
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      ...environment,
    }
    await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env })
  }

  test('reports each bug report once, and the texts of strangers as they stand', async () => {
    await addMention({ text: `It crashes\n# ${HOSTILE}\r\n\`\`\`\n@octocat #1`, url: 'https://example.com/1' })
    await addMention({ text: 'Which one is best?' }, { intents: ['question'] })
    await addMention({ text: 'Noise that crashes' }, { intents: ['bug_report'], relevance: 10 })
    await run(readStep)
    expect(inFolder('output')).toBe('count=1\n')
    const report = inFolder('earshot-report.md')
    expect(inFolder('summary')).toBe(report)
    const [heading, blank, ...block] = report.trimEnd().split('\n')
    expect(heading).toMatch(new RegExp(`^### \\[(mtn_\\w+)\\]\\(${world.origin}/mentions/\\1\\)$`))
    expect(blank).toBe('')
    expect(block.filter((line) => !line.startsWith('    '))).toEqual([])
    expect(block).toEqual(
      expect.arrayContaining(['    https://example.com/1', '    It crashes', '    ```', '    @octocat #1']),
    )
    await run(readStep)
    expect(inFolder('output')).toBe('count=0\n')
    expect(inFolder('summary')).toBe('No new bug reports.\n')
    await addMention({ text: 'It crashes again' })
    await run(readStep)
    expect(inFolder('output')).toBe('count=1\n')
    expect(inFolder('earshot-report.md')).toContain('    It crashes again')
  })

  test('the longest texts of fifty mentions fit into an issue', async () => {
    for (let count = 0; count < 50; count += 1) await addMention({ text: `${count} ${'a\n'.repeat(2000)}` })
    await run(readStep)
    expect(inFolder('output')).toBe('count=50\n')
    expect(inFolder('earshot-report.md').length).toBeLessThan(65_536)
  })

  test('a run that Earshot refuses fails and keeps the position', async () => {
    await run(readStep)
    const position = inFolder('earshot-position')
    await expect(run(readStep, { EARSHOT_API_KEY: 'ref_wrong' })).rejects.toThrow('Earshot answered 401')
    expect(inFolder('earshot-position')).toBe(position)
  })

  test('a first run that Earshot refuses leaves no position', async () => {
    await expect(run(readStep, { EARSHOT_API_KEY: 'ref_wrong' })).rejects.toThrow('Earshot answered 401')
    expect(existsSync(join(folder, 'earshot-position'))).toBe(false)
  })

  test('opens an issue with the report', async () => {
    await run(issueStep, { COUNT: '2' })
    expect(inFolder('gh-arguments').trimEnd().split('\n')).toEqual([
      'issue',
      'create',
      '--title',
      'Bug reports from Earshot: 2',
      '--body-file',
      'earshot-report.md',
    ])
  })

  test('no value of the workflow stands in a script', () => {
    expect(`${readStep}${issueStep}`).not.toContain('${{')
  })
})

/** The literal blocks under `run: |`, without their indentation. */
function blocksOf(yaml: string): string[] {
  return [...yaml.matchAll(/^( *)run: \|\n((?:\1 {2}.*\n|\n)+)/gm)].map(([, indentation, block]) =>
    block!.replaceAll(new RegExp(`^${indentation} {2}`, 'gm'), ''),
  )
}

interface SheetRequest {
  url: string
  headers: Record<string, string>
}

/** Runs the script of Google Sheets where each request is answered by `answer`, and returns the cells that it writes. */
function runSheetScript(properties: Record<string, string>, answer: (request: SheetRequest) => string): unknown {
  let cells: unknown
  let isCleared = false
  const sheet = {
    clearContents() {
      isCleared = true
    },
    getRange: (row: number, column: number, rows: number, columns: number) => ({
      setValues(values: string[][]) {
        expect([row, column, isCleared]).toEqual([1, 1, true])
        expect(values.map((line) => line.length)).toEqual(Array(rows).fill(columns))
        cells = values
      },
    }),
  }
  const names: string[] = []
  runInNewContext(`${readExample('google-sheets.gs')}\ncopyMentions()`, {
    PropertiesService: { getScriptProperties: () => ({ getProperty: (name: string) => properties[name] ?? null }) },
    UrlFetchApp: {
      fetch: (url: string, { headers }: { headers: Record<string, string> }) => ({
        getContentText: () => answer({ url, headers }),
      }),
    },
    Utilities: { parseCsv },
    SpreadsheetApp: {
      getActive: () => ({ getSheetByName: () => null, insertSheet: (name: string) => names.push(name) && sheet }),
    },
  })
  expect(names).toEqual(['Mentions'])
  return cells
}

test('the script of Google Sheets copies the mentions of a view, and no text becomes a formula', async () => {
  await addMention({ text: '=IMPORTXML("https://evil.example", "//a")', title: null })
  await addMention({ text: 'Which one is best?' }, { intents: ['question'] })
  const view = await acme.api('POST', '/v1/views', { name: 'Bugs', filter: { intents: ['bug_report'] } })
  const properties = {
    EARSHOT_URL: world.origin,
    EARSHOT_API_KEY: acme.readKey,
    EARSHOT_QUERY: `viewId=${view.body.id}`,
  }
  let asked: SheetRequest | undefined
  runSheetScript(properties, (request) => {
    asked = request
    return 'a\r\n'
  })
  // The script waits for answers, so the answer is fetched between two runs.
  const reply = await fetch(asked!.url, { headers: asked!.headers })
  const text = await reply.text()
  expect(reply.status, text).toBe(200)
  const [header, ...lines] = runSheetScript(properties, () => text) as string[][]
  expect(lines.length).toBe(1)
  const textColumn = header!.indexOf('text')
  expect(lines[0]![textColumn]).toBe(`'=IMPORTXML("https://evil.example", "//a")`)
  expect(lines[0]!.filter((cell) => /^[=+@-]/.test(cell))).toEqual([])
})
