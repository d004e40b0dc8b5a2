import { expectTypeOf, test } from 'vitest'
import type { Client, EarshotError, Failure, InputOf, Outcome, Schema, Webhook, WorkspaceChange } from './index.ts'

/** Only the compiler reads what stands in such a function: nothing is called. */
const unread = (_: (client: Client) => unknown) => undefined

test('an operation takes the parts of its path, its parameters and its body together', () => {
  expectTypeOf<InputOf<'getMention'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<InputOf<'replayDelivery'>>().toEqualTypeOf<{ id: string; channelId?: string; requestId?: string }>()
  expectTypeOf<InputOf<'createKeyword'>['requestId']>().toEqualTypeOf<string | undefined>()
  unread((client) => [
    client.whoami(),
    client.listMentions(),
    client.createKeyword({ term: 'acme', kind: 'brand' }),
    client.createChannel({ kind: 'email', emails: ['ada@example.com'] }),
    client.listMentions({ anyOf: [{ minRelevance: 80 }] }),
  ])
})

test('wrong inputs do not compile', () => {
  unread((client) => [
    // @ts-expect-error: the id is required
    client.getMention(),
    // @ts-expect-error: there is no such parameter
    client.listMentions({ relevance: 80 }),
    // @ts-expect-error: there is no such platform
    client.listMentions({ platforms: ['usenet'] }),
    // @ts-expect-error: a webhook has an address
    client.createChannel({ kind: 'webhook' }),
    // @ts-expect-error: there is no such operation
    client.deleteMention({ id: 'mtn_1' }),
    // @ts-expect-error: a change is no list
    client.updateMention({ id: 'mtn_1' })[Symbol.asyncIterator],
  ])
})

test('answers and elements have the types of the document', () => {
  unread(async (client) => {
    expectTypeOf(await client.getMention({ id: '' })).toEqualTypeOf<Schema<'Mention'>>()
    expectTypeOf(await client.deleteKeyword({ id: '' })).toEqualTypeOf<undefined>()
    expectTypeOf(await client.exportMentionsCsv()).toEqualTypeOf<string>()
    expectTypeOf((await client.listMentions()).nextCursor).toEqualTypeOf<string | null>()
    for await (const mention of client.listMentions()) expectTypeOf(mention).toEqualTypeOf<Schema<'Mention'>>()
    for await (const keyword of client.listKeywords()) expectTypeOf(keyword).toEqualTypeOf<Schema<'Keyword'>>()
    for await (const mention of client.streamMentions()) expectTypeOf(mention).toEqualTypeOf<Schema<'Mention'>>()
    for await (const change of client.streamEvents()) expectTypeOf(change).toEqualTypeOf<WorkspaceChange>()
  })
})

test('an outcome has the codes of its operation, and no others', () => {
  unread(async (client) => {
    const outcome = await client.createKeyword({ term: 'acme', kind: 'brand' }).outcome()
    if (outcome.ok) return expectTypeOf(outcome.data).not.toBeAny()
    switch (outcome.error.code) {
      case 'duplicate_keyword':
        return expectTypeOf(outcome.error.existingId).toEqualTypeOf<string | null>()
      case 'validation_error':
        return expectTypeOf(outcome.error.existingId).toEqualTypeOf<null>()
      case 'unknown_code':
        return expectTypeOf(outcome.error.unknownCode).toEqualTypeOf<string>()
      // @ts-expect-error: creating a keyword never gives this code
      case 'last_owner':
        return undefined
    }
    return expectTypeOf(outcome.error.retryAfterSeconds).toEqualTypeOf<number | null>()
  })
})

test('unions are discriminated by their field', () => {
  expectTypeOf<Extract<Failure, { code: 'no_answer' }>>().toEqualTypeOf<EarshotError<'no_answer'>>()
  expectTypeOf<Extract<WorkspaceChange, { kind: 'delivery.changed' }>['channelId']>().toEqualTypeOf<string>()
  expectTypeOf<Extract<Webhook, { kind: 'mention' }>['data']>().toEqualTypeOf<Schema<'Mention'>>()
  expectTypeOf<Extract<Webhook, { kind: 'test' }>['data']>().toEqualTypeOf<{ message: string }>()
  expectTypeOf<Extract<Outcome<1, 2>, { ok: true }>>().toEqualTypeOf<{ ok: true; data: 1 }>()
})
