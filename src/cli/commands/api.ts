import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Client } from '../../client/index.ts'
import { OPERATIONS } from '../../client/operations.ts'
import type { Cli } from '../kit/cli.ts'
import { CommandError, EXIT } from '../kit/exit-codes.ts'
import { printValue } from '../kit/output.ts'
import { cleanText } from '../terminal/clean.ts'

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
  if (!options.path.startsWith('/')) throw new CommandError(`The path must begin with /v1/.`, EXIT.usage)
  const body = withRequestId(await bodyOf(cli, options), method, options.path)
  const request = { method, path: options.path, ...(body === undefined ? {} : { body }) }
  const response = await client.request(request, { signal: cli.signal })
  if (options.include) {
    terminal.note(`HTTP ${response.status}`)
    for (const [name, value] of response.headers) terminal.note(cleanText(`${name}: ${value}`))
    terminal.note('')
  }
  if (response.headers.get('content-type')?.startsWith('application/json')) await printValue(cli, await response.json())
  else await copy(cli, response)
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

/** Streams and exports are printed as they come. */
async function copy({ terminal }: Cli, response: Response): Promise<void> {
  if (response.body === null) return
  const decoder = new TextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const part = decoder.decode(chunk, { stream: true })
    await terminal.write(terminal.isForPeople ? cleanText(part) : part)
  }
}

async function bodyOf(cli: Cli, { data, field }: ApiOptions): Promise<unknown> {
  if (data !== undefined && field.length > 0)
    throw new CommandError('--data and --field cannot be used together.', EXIT.usage)
  if (field.length > 0)
    return Object.fromEntries(
      field.map((pair) => [pair.slice(0, pair.indexOf('=')), jsonOrText(pair.slice(pair.indexOf('=') + 1))]),
    )
  if (data === undefined) return undefined
  const source = await sourceOf(cli, data)
  try {
    return JSON.parse(source)
  } catch (error) {
    if (error instanceof SyntaxError) throw new CommandError('--data: is not JSON.', EXIT.usage)
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
