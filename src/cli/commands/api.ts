import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Client } from '../../client/index.ts'
import { OPERATIONS } from '../../client/operations.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { printValue } from '../kit/output.ts'
import { bodyOf, printBody } from '../kit/save.ts'

export interface ApiOptions {
  method: string
  path: string
  data?: string
  field: readonly string[]
  include?: true
}

export async function sendRequest(cli: Cli, client: Client, options: ApiOptions): Promise<void> {
  const { terminal } = cli
  const method = options.method.toUpperCase()
  if (!/^(GET|HEAD|POST|PATCH|PUT|DELETE)$/.test(method))
    throw new CommandError(`${options.method} is no method of the API.`, EXIT.usage)
  if (!/^\/(?!\/)/.test(options.path))
    throw new CommandError('The path must begin with one /, as in /v1/keywords.', EXIT.usage)
  const body = withRequestId(await givenBody(cli, options), method, options.path)
  const request = { method, path: options.path, ...(body === undefined ? {} : { body }) }
  const response = await client.request(request, { signal: cli.signal })
  if (options.include) {
    terminal.note(`HTTP ${response.status}`)
    for (const [name, value] of response.headers) terminal.note(`${name}: ${value}`)
    terminal.note('')
  }
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (!isJson || method === 'HEAD') return printBody(terminal, response)
  const answer = await text(Readable.from(bodyOf(response)))
  await printValue(cli, jsonOf(answer, new CommandError('The answer is not JSON, although it says so.')))
}

/** What creates something takes a `requestId`, so that a repetition does not create it twice. */
function withRequestId(body: unknown, method: string, path: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const takesOne = Object.values(OPERATIONS).some((operation) => {
    const [by, template = '', ...flags] = operation.split(' ')
    return by === method && flags.includes('once') && patternOf(template).test(path)
  })
  return takesOne ? { requestId: randomUUID(), ...body } : body
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
}

async function givenBody(cli: Cli, { data, field }: ApiOptions): Promise<unknown> {
  if (data !== undefined && field.length > 0)
    throw new CommandError('--data and --field cannot be used together.', EXIT.usage)
  if (field.length > 0)
    return Object.fromEntries(
      field.map((pair) => [pair.slice(0, pair.indexOf('=')), jsonOrText(pair.slice(pair.indexOf('=') + 1))]),
    )
  if (data === undefined) return undefined
  return jsonOf(await sourceOf(cli, data), new CommandError('--data: is not JSON.', EXIT.usage))
}

function jsonOf(source: string, problem: CommandError): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    if (error instanceof SyntaxError) throw problem
    throw error
  }
}

async function sourceOf({ stdin }: Cli, data: string): Promise<string> {
  if (data === '-') return text(stdin)
  return data.startsWith('@') ? fileText(data.slice(1)) : data
}

async function fileText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`--data: ${path} cannot be read (${error.code}).`, EXIT.usage)
  })
}

/** `true`, `5`, `null`, lists and objects are JSON; anything else is text. */
function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch (error) {
    if (error instanceof SyntaxError) return value
    throw error
  }
}
