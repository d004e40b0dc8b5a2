import { type DestinationStream, type Logger, pino } from 'pino'
import { logDestination } from './log-destination.ts'
import { shownFields, shownText } from './log-fields.ts'

export type Log = Logger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * One JSON object a line, to standard error by default. Outside text is only ever a field's value, so it cannot forge a
 * line; log-fields.ts bounds fields and removes secrets.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: shownFields },
      // Errors are plain objects here; pino's serializer would add their other properties.
      serializers: { err: (shown: unknown) => shown },
      hooks: {
        logMethod(args, method) {
          method.apply(this, boundedCall(args, bound.get(this)))
        },
      },
    },
    destination ?? logDestination(),
  )
  // A child's fields bypass the formatters.
  const child = log.child as unknown as MakeChild
  const shownChild: MakeChild = function (fields, options) {
    const made = child.call(this, shownFields(fields), options)
    bound.set(made, { ...bound.get(this), ...fields })
    return made
  }
  log.child = shownChild as unknown as Log['child']
  return log
}

export const silentLog: Log = pino({ level: 'silent' })

type Call = Parameters<pino.LogFn>
type MakeChild = (this: Log, fields: pino.Bindings, options?: pino.ChildLoggerOptions) => Log

/** The fields on every line of a child. */
const bound = new WeakMap<object, pino.Bindings>()

/** Pino makes a message of an error without one, and formats further arguments into it. */
function boundedCall([first, ...others]: Call, said: pino.Bindings | undefined): Call {
  const error = first instanceof Error ? first : errorOf(first)
  const fields = withoutRepeats(first instanceof Error ? { err: first } : first, said)
  const texts = others.length === 0 && error !== null ? [error.message] : others
  return [fields, ...texts].map((item: unknown) =>
    typeof item === 'string' ? shownText(item) : item,
  ) as unknown as Call
}

/** Pino would write these fields twice. */
function withoutRepeats(fields: unknown, said: pino.Bindings | undefined): unknown {
  if (said === undefined || typeof fields !== 'object' || fields === null) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !(name in said && said[name] === value)))
}

function errorOf(fields: unknown): Error | null {
  return typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error
    ? fields.err
    : null
}
