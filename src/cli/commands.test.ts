import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { afterAll, describe, expect, test } from 'vitest'
import { parseCsv } from '../../test/csv.ts'
import { makeKeyword, mention, score } from '../../test/mentions.ts'
import { useWorkspace, useWorld } from '../../test/use-world.ts'
import { toId } from '../kernel/ids.ts'
import type { Cli } from './kit/cli.ts'
import { programFor, type Ran, type RunOptions, run, temporaryConfig } from './running.suite.ts'

const world = useWorld()
const acme = useWorkspace(world, 'Acme')

function earshot(args: readonly string[], options: RunOptions & { key?: string } = {}): Promise<Ran> {
  const { key = acme.writeKey, env = {}, ...more } = options
  const from = { EARSHOT_API_KEY: key, EARSHOT_URL: world.origin, ...env }
  return run(args, { now: () => world.clock.now(), ...more, env: from })
}

async function stored(text: string, verdict = {}): Promise<{ id: string; term: string }> {
  const keyword = await makeKeyword(acme)
  const made = await mention(world, keyword, { text })
  await score(world, [made], verdict)
  return { id: toId('mtn', made.mentionId), term: keyword.shown.term }
}

describe('keywords', () => {
  test('are added with their rules, listed, paused and resumed by their term', async () => {
    const added = await earshot([
      'keywords',
      'add',
      'acme cloud',
      '--kind',
      'topic',
      '--excluded-terms',
      'giveaway',
      '--platforms',
      'bluesky,github',
    ])
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^Watching acme cloud \(kw_\w{26}\)\n$/) })
    const [line] = (await earshot(['keywords', 'list', '--kind', 'topic', '--json'])).out.split('\n')
    expect(JSON.parse(line!)).toMatchObject({
      term: 'acme cloud',
      platforms: ['bluesky', 'github'],
      matching: { excludedTerms: ['giveaway'] },
    })
    expect((await earshot(['keywords', 'pause', 'acme cloud'])).out).toBe('acme cloud is paused\n')
    expect((await earshot(['keywords', 'list', '--status', 'muted'])).out).toContain('acme cloud')
    expect((await earshot(['keywords', 'resume', 'acme cloud'])).out).toBe('acme cloud is active\n')
  })

  test('tell their health and suggestions', async () => {
    const { term } = await stored('Healthy')
    expect((await earshot(['keywords', 'health', term])).out).toMatch(/^keyword +term \d+ \(kw_\w+\)\nhealth +new\n/)
    expect(await earshot(['keywords', 'suggest', term])).toMatchObject({ code: 0, out: '', err: 'No suggestions.\n' })
    const none = await earshot(['keywords', 'suggest', term, '--apply', '1'])
    expect(none).toMatchObject({ code: 4, err: 'There is no suggestion 1; 0 suggestions exist.\n' })
  })
})

describe('mentions', () => {
  test('are listed for people within the width, and whole for pipes', async () => {
    const { id, term } = await stored(`Acme is ${'very '.repeat(60)}good`)
    const people = await earshot(['mentions', 'list', '--keyword', term], { columns: 80, env: { NO_COLOR: '1' } })
    expect(people.out).toContain(id)
    expect(Math.max(...people.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect((await earshot(['mentions', 'list', '--keyword', term], { columns: 80 })).out).toContain('\u001b[')
    const piped = await earshot(['mentions', 'list', '--keyword', term])
    expect(piped.out).toContain('very good')
    expect(piped.out).not.toContain('\u001b')
  })

  test('obey filters, and print nothing but a note when none fits', async () => {
    const { term } = await stored('Negative', { sentiment: 'negative' })
    const listed = await earshot([
      'mentions',
      'list',
      '--keyword',
      term,
      '--sentiments',
      'negative',
      '--since',
      '1d',
      '--json',
    ])
    expect(listed.out.trim().split('\n')).toHaveLength(1)
    const none = await earshot(['mentions', 'list', '--keyword', term, '--sentiments', 'positive'])
    expect(none).toEqual({ code: 0, out: '', err: 'No mentions.\n' })
  })

  test('beyond a page are read page after page', async () => {
    const keyword = await makeKeyword(acme)
    for (let made = 0; made < 105; made += 1) await mention(world, keyword)
    const { out } = await earshot(['mentions', 'list', '--keyword', keyword.shown.term, '--limit', '103', '--json'])
    expect(
      new Set(
        out
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line).id),
      ).size,
    ).toBe(103)
  })

  test('of strangers reach no terminal with their controls, in no form', async () => {
    const { id, term } = await stored('\u001b]0;owned\u0007 hello \u009b31m \u202eworld')
    for (const args of [
      ['list', '--keyword', term],
      ['show', id],
      ['list', '--keyword', term, '--json'],
      ['list', '--keyword', term, '--csv'],
      ['export', '--keyword', term],
    ]) {
      const { code, out } = await earshot(['mentions', ...args], { columns: 100, env: { NO_COLOR: '1' } })
      expect([args[0], code]).toEqual([args[0], 0])
      expect(out).toContain('hello')
      expect(out.replaceAll(/[\r\n]/g, '')).not.toMatch(/\p{Cc}|\u202e/u)
    }
  })

  test('give a spreadsheet no formula', async () => {
    const { term } = await stored('=HYPERLINK("https://evil.example")')
    const { out } = await earshot(['mentions', 'list', '--keyword', term, '--csv'])
    const [head, row] = parseCsv(out)
    expect(head!.slice(0, 3)).toEqual(['id', 'published', 'relevance'])
    expect(row![head!.indexOf('text')]).toBe(`'=HYPERLINK("https://evil.example")`)
  })

  test('are triaged by ids, also from a pipe, and what cannot be changed is told', async () => {
    const [one, two] = [await stored('One'), await stored('Two')]
    expect((await earshot(['mentions', 'done', one.id, two.id])).out).toBe('2 mentions are done\n')
    expect((await earshot(['mentions', 'ignore', '-'], { stdin: `${one.id}\n` })).out).toBe('1 mention is ignored\n')
    expect((await earshot(['mentions', 'irrelevant', two.id])).out).toBe('1 mention is not relevant\n')
    const { body } = await acme.api('GET', `/v1/mentions/${two.id}`)
    expect(body).toMatchObject({ status: 'done', relevant: false })
    const unknown = toId('mtn', '01900000-0000-7000-8000-000000000000' as never)
    const partly = await earshot(['mentions', 'done', unknown, one.id])
    expect(partly).toEqual({
      code: 1,
      out: '1 mention is done\n',
      err: `${unknown}: not_found\n1 mention could not be changed.\n`,
    })
  })

  test('are exported as the service writes them', async () => {
    const { term } = await stored('Exported')
    expect((await earshot(['mentions', 'export', '--keyword', term])).out).toContain('Exported')
    const json = await earshot(['mentions', 'export', '--keyword', term, '--format', 'json'])
    expect(json.out).toContain('"Exported"')
  })
})

describe('an answer that breaks off', () => {
  const config = temporaryConfig()
  afterAll(() => config.close())
  const breaking = (type: string): typeof fetch => {
    const parts = ['id,text\n1,', null]
    const pull = (controller: ReadableStreamDefaultController) => {
      const part = parts.shift()
      if (part) controller.enqueue(new TextEncoder().encode(part))
      else controller.error(new TypeError('terminated'))
    }
    return async () => new Response(new ReadableStream({ pull }), { headers: { 'content-type': type } })
  }

  test('leaves no file that looks whole, and what was there before', async () => {
    const file = join(config.folder, 'mentions.csv')
    const save = (more: RunOptions = {}) => earshot(['mentions', 'export', '-o', file], more)
    expect((await save()).code).toBe(0)
    const before = readFileSync(file, 'utf8')
    const broken = await save({ fetch: breaking('text/csv') })
    expect(broken).toMatchObject({ code: 5, err: expect.stringContaining('broke off') })
    const left = readdirSync(config.folder).filter((name) => name.endsWith('.part'))
    expect([readFileSync(file, 'utf8'), left]).toEqual([before, []])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each(['text/csv', 'application/json'])('of %s is told when it is printed', async (type) => {
    const broken = await earshot(['api', 'GET', '/v1/mentions/export.csv'], { fetch: breaking(type) })
    expect(broken).toMatchObject({ code: 5, err: expect.stringContaining('broke off') })
  })
})

describe('channels, rules and deliveries', () => {
  test('are listed, switched and sent again', async () => {
    const [channel, alert, delivery] = [
      await acme.makeOne('dest'),
      await acme.makeOne('feed'),
      await acme.makeOne('dlv'),
    ]
    expect((await earshot(['channels', '--json'])).out).toContain(channel!)
    expect((await earshot(['alerts'])).out).toContain(alert!)
    expect((await earshot(['alerts', 'disable', alert!])).out).toMatch(/ is off\n$/)
    expect((await earshot(['deliveries', 'list', '--limit', '5'])).out).toContain(delivery!)
    expect((await earshot(['deliveries', 'show', delivery!])).out).toContain(`delivery  ${delivery}`)
    const replayed = await earshot(['deliveries', 'replay', delivery!])
    expect(replayed.out + replayed.err).toMatch(new RegExp(`it has the contents of ${delivery}|[a-z_]+, req_`))
  })
})

describe('any request', () => {
  test('is sent with its body, and its answer printed', async () => {
    const made = await earshot(['api', 'post', '/v1/groups', '-f', 'name=By hand'])
    expect(JSON.parse(made.out)).toMatchObject({ name: 'By hand' })
    const body = JSON.stringify({ name: 'By pipe' })
    expect(JSON.parse((await earshot(['api', 'POST', '/v1/groups', '-d', '-'], { stdin: body })).out).name).toBe(
      'By pipe',
    )
    expect((await earshot(['api', 'GET', '/v1/whoami', '-i'])).err).toContain('HTTP 200')
  })
})

describe('a command ends with', () => {
  test.each<[string, string[], number, RegExp]>([
    ['2 for an unknown option', ['mentions', 'list', '--nonsense'], 2, /unknown option '--nonsense'/],
    ['2 for a value that is none', ['mentions', 'list', '--limit', '0'], 2, /whole number from 1/],
    ['2 for a filter that the service refuses', ['mentions', 'list', '--min-relevance', '500'], 2, /minRelevance: /],
    ['2 for an empty argument', ['mentions', 'show', ''], 2, /An argument is empty/],
    ['2 for a path of another address', ['api', 'GET', '//evil.example'], 2, /must begin with one \//],
    ['2 for a cursor that is none', ['api', 'GET', '/v1/mentions?cursor=nonsense'], 2, /cursor/],
    ['2 for a method that is not there', ['api', 'PUT', '/v1/whoami'], 2, /method_not_allowed/],
    [
      '2 for an address that is none',
      ['whoami', '--key', 'ref_x', '--url', 'localhost:4400'],
      2,
      /an http or https address/,
    ],
    [
      '2 for a file in no folder',
      ['mentions', 'export', '-o', '/nowhere/mentions.csv'],
      2,
      /\/nowhere\/mentions\.csv cannot be written \(ENOENT\)/,
    ],
    ['2 for a zone that is none', ['report', '--timezone', 'Europe/Nowhere'], 2, /name of a time zone/],
    ['2 for a report in no folder', ['report', '-o', '/nowhere/report.txt'], 2, /cannot be written \(ENOENT\)/],
    ['3 for a bad credential', ['whoami', '--key', 'ref_bad'], 3, /Invalid API key.*unauthorized, req_/],
    ['4 for what is not there', ['mentions', 'show', 'mtn_01h00000000000000000000000'], 4, /not_found/],
    [
      '4 for a keyword that nobody watches',
      ['keywords', 'pause', 'nobody'],
      4,
      /no keyword with the id or term nobody/,
    ],
    [
      '5 for a service that is away',
      ['whoami', '--key', 'ref_x', '--url', 'http://127.0.0.1:9'],
      5,
      /cannot be reached/,
    ],
    ['0 for help', ['mentions', 'list', '--help'], 0, /^$/],
  ])(
    '%s',
    async (_, args, code, message) => {
      const ended = await earshot(args)
      expect([ended.code, ended.out === '' || code === 0]).toEqual([code, true])
      expect(ended.err).toMatch(message)
    },
    20_000,
  )

  test('3 for a read key that would change something', async () => {
    const { id } = await stored('Kept')
    const ended = await earshot(['mentions', 'done', id], { key: acme.readKey })
    expect(ended).toMatchObject({ code: 3, out: '', err: expect.stringContaining('read_only_key') })
  })

  test('0 for help, whose examples call the command as it is called here', async () => {
    const { out } = await run(['mentions', 'done', '--help'])
    expect(out).toContain('$ npx --no earshot mentions list --json | jq -r .id | npx --no earshot mentions done -\n')
    expect((await run(['login', '--help'])).out).toContain('$ npx --no earshot login https://earshot.example.com\n')
  })

  test('0 for help, which has examples of every command', async () => {
    const ends = (command: Command, path: string[] = []): string[][] =>
      command.commands.length === 0 ? [path] : command.commands.flatMap((inner) => ends(inner, [...path, inner.name()]))
    const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
    const paths = ends(programFor({} as Cli, quiet, quiet))
    expect(paths.length).toBeGreaterThan(30)
    for (const path of paths)
      expect((await run([...path, '--help'])).out, path.join(' ')).toContain('\nExamples:\n  $ ')
  })

  test('3 for nobody', async () => {
    const ended = await run(['whoami'], { env: { EARSHOT_CONFIG_DIR: '/nowhere' } })
    expect(ended).toEqual({ code: 3, out: '', err: 'Nobody is signed in. Run: npx --no earshot login\n' })
  })
})
