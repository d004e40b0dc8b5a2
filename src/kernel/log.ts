import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Names whose values never reach a log, at any depth up to three. */
const SECRET_NAMES = ['authorization', 'password', 'secret', 'key', 'token', 'cookie']

/**
 * The service's log: one JSON object a line, on standard error unless told otherwise. Texts from outside are values of
 * fields, never parts of the message, so they cannot forge a line.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' })
