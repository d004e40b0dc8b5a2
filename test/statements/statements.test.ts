import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../database-server.ts'
import { type FoundStatement, statementsIn } from './collect.ts'
import { columnsAnswered } from './describe.ts'

const STATEMENTS = statementsIn(fileURLToPath(new URL('../../src/', import.meta.url)))

let place: TestDatabase
let client: pg.Client
beforeAll(async () => {
  place = await createTestDatabase()
  client = new pg.Client({ connectionString: place.connection })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await place.drop()
})

/** Filters, sorts and tables with a period are put together when they run; the tests of their callers run them. */
const MOST_COMPOSED = 72
/** Where a part of a statement was taken for a value, which only the running service knows. */
const PART = /^syntax error at or near "\$\d+"$/

test('every statement can be prepared on the schema, and answers the columns that its row type declares', async () => {
  const wrong: string[] = []
  let composed = 0
  for (const statement of STATEMENTS) {
    const answered = await answerTo(statement)
    if (answered === null) composed += 1
    else wrong.push(...problemsOf(statement, answered))
  }
  expect(wrong).toEqual([])
  expect(composed).toBeLessThanOrEqual(MOST_COMPOSED)
  expect(STATEMENTS.length).toBeGreaterThan(10 * MOST_COMPOSED)
})

test('a column that is not there, and one that is not declared, are found', async () => {
  const told = (text: string, names: string[]) =>
    answerTo({ place: 'here', text, columns: null }).then((answered) =>
      problemsOf({ place: 'here', text, columns: names.map((name) => ({ name, optional: false })) }, answered!),
    )
  expect(await told('select id, nam from workspace', ['id'])).toEqual(['here: column "nam" does not exist'])
  expect(await told('select id from workspace', ['id', 'name'])).toEqual([
    'here: the row type declares name, which is not answered',
  ])
  expect(await told('select id, name from workspace', ['id'])).toEqual(['here: name is answered and not declared'])
})

/** The columns of a statement, what the server has against it, or null when it is composed at run time. */
async function answerTo({ text }: FoundStatement): Promise<string[] | Error | null> {
  if (text === null) return null
  const answered = await columnsAnswered(client, text).catch((error: Error) => error)
  return answered instanceof Error && PART.test(answered.message) ? null : answered
}

function problemsOf({ place: where, text, columns }: FoundStatement, answered: string[] | Error): string[] {
  if (answered instanceof Error) return [`${where}: ${answered.message}`]
  if (columns === null) return []
  const declared = new Set(columns.map(({ name }) => name))
  const missing = columns.filter(({ name, optional }) => !optional && !answered.includes(name))
  // Whoever asks for everything declares what is read of it.
  const more = text!.includes('*') ? [] : answered.filter((name) => !declared.has(name))
  return [
    ...missing.map(({ name }) => `${where}: the row type declares ${name}, which is not answered`),
    ...more.map((name) => `${where}: ${name} is answered and not declared`),
  ]
}
