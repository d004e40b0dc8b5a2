import { expect, test } from 'vitest'
import { createLog, LOG_LEVELS, silentLog } from './log.ts'

function logTo(level: (typeof LOG_LEVELS)[number]) {
  const lines: string[] = []
  return { log: createLog(level, { write: (line: string) => void lines.push(line) }), lines }
}

test('a line is one JSON object with a level by name and a time', () => {
  const { log, lines } = logTo('info')
  log.info({ keywords: 3 }, 'started')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    keywords: 3,
    msg: 'started',
  })
})

test('secrets stay out of the log, down to the third level', () => {
  const { log, lines } = logTo('info')
  const secrets = {
    authorization: 'hush1',
    password: 'hush2',
    secret: 'hush3',
    key: 'hush4',
    token: 'hush5',
    cookie: 'hush6',
  }
  log.info({ ...secrets, headers: secrets, request: { headers: secrets } }, 'asked')
  expect(lines.join('')).not.toContain('hush')
  expect(JSON.parse(lines[0]!).request.headers.authorization).toBe('[redacted]')
})

test('a text from outside cannot forge a line', () => {
  const { log, lines } = logTo('info')
  log.info({ text: 'a"}\n{"level":"fatal"}' }, 'seen')
  expect(lines).toHaveLength(1)
  expect(lines[0]!.trimEnd()).not.toContain('\n')
})

test('an error is logged with its message and stack', () => {
  const { log, lines } = logTo('warn')
  log.warn({ err: new Error('went wrong') }, 'failed')
  expect(JSON.parse(lines[0]!).err).toMatchObject({ message: 'went wrong', stack: expect.stringContaining('log.test') })
})

test.each(LOG_LEVELS)('%s is the least level that is written', (level) => {
  const { log, lines } = logTo(level)
  for (const item of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[item]('said')
  expect(lines).toHaveLength(6 - LOG_LEVELS.indexOf(level))
})

test('the silent log says nothing', () => {
  expect(silentLog.isLevelEnabled('fatal')).toBe(false)
})
