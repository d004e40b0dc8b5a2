import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EarshotProcess, type Ended, earshot, temporaryDataDir } from '../../test/stand-ins/earshot-process.ts'
import { freePort } from '../../test/stand-ins/free-port.ts'

const folder = temporaryDataDir()
let port: number
let service: EarshotProcess | null = null

beforeAll(async () => {
  port = await freePort()
})

afterAll(async () => {
  service?.signal('SIGTERM')
  await service?.ended
  await folder.remove()
})

/** Nothing here may reach a real platform: an address on which nobody listens stands for all of them. */
const NOWHERE = 'http://127.0.0.1:9'

function command(...args: string[]): Promise<Ended> {
  return earshot(args, environment()).ended
}

function environment(): Record<string, string> {
  return {
    DATA_DIR: folder.dataDir,
    PORT: String(port),
    // In a container the service listens on every address unless told otherwise.
    EARSHOT_HOST: '127.0.0.1',
    SOURCE_BLUESKY_URL: NOWHERE,
    SOURCE_HACKERNEWS_URL: NOWHERE,
    EARSHOT_LOG_LEVEL: 'fatal',
  }
}

/** Everything that an operator does by command, on the embedded database. */
async function worksAsPromised(workspace: string): Promise<void> {
  expect(await command('migrate')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'The database schema is up to date.\n',
  })
  const created = await command('keys', 'create', '--workspace', workspace, '--scope', 'read')
  expect(created.code).toBe(0)
  expect(created.stdout).toMatch(/^ref_[\w-]{43}\n$/)
  const [, orgId] =
    new RegExp(`^The workspace ${workspace} \\((org_[0-9a-z]{26})\\) was made\\.\n$`).exec(created.stderr) ?? []
  expect(orgId).toBeDefined()
  const again = await command('keys', 'create', '--workspace', orgId!, '--scope', 'read')
  expect(again).toMatchObject({ code: 0, stderr: `The workspace ${workspace} (${orgId}) was found.\n` })
  const invited = await command('invite', workspace, 'ada@example.com')
  expect(invited).toMatchObject({
    code: 0,
    stderr: `Whoever opens this link becomes an owner of ${workspace} (${orgId}), as ada@example.com, once, within 48 hours.\n`,
  })
  expect(invited.stdout).toMatch(new RegExp(`^http://localhost:${port}/invitations/v1\\.\\S+\n$`))
  const granted = await command('grant', workspace, '1250')
  expect(granted).toMatchObject({ code: 0, stderr: '' })
  expect(granted.stdout).toMatch(new RegExp(`^${workspace} \\(org_[0-9a-z]{26}\\) has \\d+\\.\\d\\d dollars now\\.\n$`))
  const costs = await command('model-costs', '--days', '7')
  expect(costs).toMatchObject({ code: 0, stderr: '' })
  expect(costs.stdout).toBe(
    'Scoring by the language model cost $0.0000 today; CLASSIFIER is offline.\nThe language model was not used in the last 7 days.\n',
  )
  const doctor = await command('doctor')
  // Whether the platforms, which lead nowhere, were asked already is a matter of moments.
  const degraded = [...doctor.stdout.matchAll(/^ {2}(\w+) +\w+ +degraded /gm)].map(([, platform]) => platform)
  expect(doctor).toMatchObject({ code: degraded.length > 0 ? 1 : 0, stderr: '' })
  expect(doctor.stdout).toMatch(
    degraded.length === 0
      ? /^No problems\.\n\nSettings that are set [^\n]+\n[\s\S]+\n\nDatabase\n/
      : /^(?:1 problem|\d+ problems):\n/,
  )
  for (const platform of degraded)
    expect(doctor.stdout).toMatch(new RegExp(`^ {2}- ${platform} is degraded\\.(?: [^\\n]*[^.\\n]\\.)?$`, 'm'))
  expect(doctor.stdout).toContain(
    `none: the first person to sign up at http://localhost:${port}/sign-up owns this installation`,
  )
  expect(doctor.stdout).not.toContain('TRUSTED_PROXIES')
  expect((await command('doctor', '--all')).stdout).toMatch(/^ {2}TRUSTED_PROXIES +default /m)
  for (const word of [
    'Settings',
    `PORT`,
    'Database',
    'PostgreSQL',
    `embedded in ${folder.dataDir}`,
    'Platforms',
    'bluesky',
    'hackernews',
  ])
    expect(doctor.stdout).toContain(word)
  // Nothing stands in for the other platforms, so they are switched off here.
  expect(doctor.stdout).toMatch(/^ {2}bluesky +live +(?:ready|degraded) /m)
  expect(doctor.stdout).toMatch(/^ {2}Off: .*\bx\b/m)
}

describe('the command line', () => {
  test('works without a service', () => worksAsPromised('Without'), 120_000)

  test('works beside a running service, and a second service is refused', async () => {
    service = earshot(['start'], environment())
    await service.says('Earshot is running')
    await service.says(
      `No account exists yet: the first person to sign up at http://localhost:${port}/sign-up owns this installation.`,
    )
    await worksAsPromised('Beside')
    const key = (await command('keys', 'create', '--workspace', 'Beside', '--scope', 'write')).stdout.trim()
    const reply = await fetch(`http://127.0.0.1:${port}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })
    expect(await reply.json()).toMatchObject({ workspace: { name: 'Beside' }, auth: { scope: 'write' } })
    const second = await earshot(['start'], { ...environment(), PORT: String(await freePort()) }).ended
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(
      /^Another Earshot \(process \d+\) already uses the data in .*; stop it first or choose another DATA_DIR\.\n$/,
    )
  }, 120_000)

  test('tells of a defect with the lines of the sources', async () => {
    const brokenPipe = `data:text/javascript,process.stdout.write = () => { throw new TypeError('the pipe is broken') }`
    const options = `--import=${brokenPipe.replaceAll(' ', '%20')}`
    const { code, stderr } = await earshot(['completion', 'bash'], { NODE_OPTIONS: options }).ended
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^TypeError: the pipe is broken\n[\s\S]+ \(src\/cli\/terminal\/terminal\.ts:\d+\)\n/,
      ),
    })
  })

  test.each([
    [['grant', 'Nobody', '100'], 4, 'There is no workspace with the id or name Nobody.\n'],
    [['invite', 'Nobody', 'ada@example.com'], 4, 'There is no workspace with the id or name Nobody.\n'],
    [['import', 'nowhere.jsonl'], 2, 'nowhere.jsonl cannot be read (ENOENT).\n'],
    [['invite', 'Beside', 'ada'], 2, 'email: must be an e-mail address\n'],
    [['invite', 'Beside', 'ada@example.com', '--role', 'king'], 2, /one of owner, admin, member/],
    [
      ['keys', 'create', '--workspace', 'org_nonsense', '--scope', 'read'],
      4,
      'There is no workspace with the id or name org_nonsense.\n',
    ],
    [['grant', 'Beside', '0'], 2, /cents.*whole number from 1 to 100000000/],
    [['grant', 'Beside', '1.5'], 2, /cents.*whole number from 1 to 100000000/],
    [['keys', 'create', '--workspace', '  ', '--scope', 'read'], 2, /must have 1 to 80 characters/],
    [['keys', 'create', '--workspace', 'Acme', '--scope', 'admin'], 2, /read or write/],
    [['keys', 'create', '--scope', 'read'], 2, /--workspace/],
    [['model-costs', '--days', '0'], 2, /whole number from 1 to 366/],
    [['begin'], 2, /unknown command 'begin'/],
  ])('refuses %j with code %i, in words', async (args, expected, message) => {
    const { code, stdout, stderr } = await command(...args)
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' })
    if (typeof message === 'string') expect(stderr).toBe(message)
    else expect(stderr).toMatch(message)
    expect(stderr).not.toContain('    at ')
  })
})
