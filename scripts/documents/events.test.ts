import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eventTable, surveyLogs } from './events.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-events-'))
mkdirSync(join(folder, 'src'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function surveyed(text: string) {
  writeFileSync(join(folder, 'src', 'a.ts'), text)
  return surveyLogs(folder)
}

test('every log line of the service is an event with one message', () => {
  const { events, problems } = surveyLogs()
  expect(problems).toEqual([])
  expect(events.length).toBeGreaterThan(100)
})

test('an event is read with its levels, its message and its fields', () => {
  const { events } = surveyed(`
    log[isOver ? 'error' : 'warn']({ event: 'mail.lost', err, ...more }, 'A mail ' + 'is lost')
    this.options.log.info({ event: 'mail.lost', mailId: id }, 'A mail is lost')
  `)
  expect(eventTable(events).split('\n').at(-1)).toBe(
    '| `mail.lost` | error, info, warn | A mail is lost | `err`, `mailId` |',
  )
})

test.each([
  ["log.warn('lost')", 'has not two arguments'],
  ["log.warn(line, 'lost')", 'has no object with its event'],
  ["log.warn({ err }, 'lost')", 'does not begin with its event'],
  ["log.warn({ event: 'lost' }, 'Lost')", 'lost is not of the form noun.verb'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a program
  ["log.warn({ event: 'mail.lost' }, `Lost ${id}`)", 'mail.lost has a message that is not a literal'],
  [
    "log.warn({ event: 'mail.lost' }, 'Lost'); log.warn({ event: 'mail.lost' }, 'Gone')",
    'mail.lost has another message elsewhere',
  ],
])('%s is a problem', (text, problem) => {
  expect(surveyed(text).problems).toEqual([`src/a.ts:1 ${problem}`])
})
