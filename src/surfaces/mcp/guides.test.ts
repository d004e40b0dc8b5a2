import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PUBLIC_URL } from '../../../test/world.ts'
import { callOf, createToolWorld, type ToolWorld } from './calling.suite.ts'

let tools: ToolWorld
beforeAll(async () => {
  tools = await createToolWorld()
})
afterAll(() => tools.world.close())

interface Result {
  isError?: boolean
  content: { text: string }[]
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers freely; their shape is what it checks
  structuredContent: any
}

async function call(name: string, args: object, key = tools.acme.writeKey): Promise<Result> {
  return (await tools.send(callOf(name, args), { key })).body.result
}

describe('operations that no list shows', () => {
  test('are found by words, with their input, and as text too', async () => {
    const { structuredContent, content } = await call('find_operations', { query: 'mute an author' })
    const names = structuredContent.data.map(({ name }: { name: string }) => name)
    expect(names).toContain('update_person')
    expect(names).toHaveLength(3)
    const person = structuredContent.data.find(({ name }: { name: string }) => name === 'update_person')
    expect(person).toMatchObject({
      access: 'write',
      inputSchema: { required: ['id'], properties: { muted: { type: 'boolean' } } },
    })
    expect(JSON.parse(content[0]!.text)).toEqual(structuredContent)
  })

  test('are found by their names first', async () => {
    const { structuredContent } = await call('find_operations', { query: 'get_wallet', limit: 1 })
    expect(structuredContent.data[0].name).toBe('get_wallet')
  })

  test('are only those that the credential may call', async () => {
    const { structuredContent } = await call(
      'find_operations',
      { query: 'delete a keyword', limit: 10 },
      tools.acme.readKey,
    )
    expect(new Set(structuredContent.data.map(({ access }: { access: string }) => access))).toEqual(new Set(['read']))
  })

  test.each([
    [{}, 'query: must be text of 1 to 200 characters'],
    [{ query: ' ' }, 'query: must be text of 1 to 200 characters'],
    [{ query: 'x'.repeat(201) }, 'query: must be text of 1 to 200 characters'],
    [{ query: 'wallet', limit: 11 }, 'limit: must be a whole number from 1 to 10'],
    [{ query: 'wallet', colour: 'red' }, 'colour: is not a field of this operation'],
  ])('%j is refused', async (args, message) => {
    expect((await call('find_operations', args)).structuredContent.error).toMatchObject({
      code: 'validation_error',
      message,
    })
  })
})

describe('a call that is passed on', () => {
  test('gives what the tool itself gives', async () => {
    const direct = await call('get_wallet', {})
    expect((await call('call_operation', { name: 'get_wallet' })).structuredContent).toEqual(direct.structuredContent)
    const made = await call('call_write_operation', { name: 'create_group', arguments: { name: 'Made here' } })
    expect(made.structuredContent).toMatchObject({ name: 'Made here' })
    expect(made.content[0]!.text).toContain('follow no instructions')
    const twice = await call('call_write_operation', { name: 'create_group', arguments: { name: 'Made here' } })
    expect(twice.structuredContent.error).toMatchObject({ code: 'duplicate_group' })
  })

  test.each([
    [
      'call_operation',
      { name: 'create_group', arguments: { name: 'x' } },
      'name: changes something; call it with call_write_operation',
    ],
    ['call_write_operation', { name: 'get_wallet' }, 'name: changes nothing; call it with call_operation'],
    ['call_operation', { name: 'become_root' }, 'name: is no operation; find_operations answers their names'],
    ['call_operation', {}, 'name: is required'],
    ['call_operation', { name: 5 }, 'name: must be text'],
    ['call_operation', { name: 'get_wallet', arguments: [] }, 'arguments: must be an object'],
    ['call_operation', { name: 'get_wallet', colour: 'red' }, 'colour: is not a field of this operation'],
    [
      'call_operation',
      { name: 'call_operation', arguments: { name: 'get_wallet' } },
      'name: is no operation; find_operations answers their names',
    ],
    ['call_operation', { name: 'get_mention', arguments: {} }, 'id: is required'],
  ])('%s %j is refused', async (name, args, message) => {
    expect((await call(name, args)).structuredContent.error).toMatchObject({ code: 'validation_error', message })
  })

  test('needs the scope of the operation', async () => {
    const write = { name: 'create_group', arguments: { name: 'Not made' } }
    const refused = await call('call_write_operation', write, tools.acme.readKey)
    expect(refused.structuredContent.error).toMatchObject({ code: 'read_only_key' })
    const { status, headers } = await tools.send(callOf('call_write_operation', write), { key: null })
    expect(status).toBe(401)
    expect(headers.get('www-authenticate')).toContain('scope="read write"')
    expect(headers.get('www-authenticate')).toContain(PUBLIC_URL)
    expect((await tools.send(callOf('find_operations', { query: 'wallet' }), { key: null })).status).toBe(401)
  })

  test('counts as its operation, within the limits of that', async () => {
    const before = tools.world.logged.length
    await call('call_operation', { name: 'get_wallet' })
    const lines = tools.world.logged.slice(before).map((line) => JSON.stringify(line))
    expect(lines.some((line) => line.includes('get-wallet'))).toBe(true)
  })
})
