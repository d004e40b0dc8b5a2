import { type DestinationStream, type Logger, pino } from 'pino'
import { shownFields, shownText } from './log-fields.ts'

export type Log = Logger
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * The service's log: one JSON object a line, on standard error unless told otherwise. Texts from outside are values of
 * fields, never parts of the message, so they cannot forge a line; what may stand in a field is bounded, and secrets
 * are left out (see log-fields.ts).
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const log = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: shownFields },
      // Errors have become plain objects by then; the library's own form would add whatever else they carry.
      serializers: { err: (shown: unknown) => shown },
      hooks: {
        logMethod(args, method) {
          method.apply(this, boundedCall(args, bound.get(this)))
        },
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
  // What a child says on every line of its own passes by the formatters.
  const child = log.child as unknown as MakeChild
  const shownChild: MakeChild = function (fields, options) {
    const made = child.call(this, shownFields(fields), options)
    bound.set(made, { ...bound.get(this), ...fields })
    return made
  }
  log.child = shownChild as unknown as Log['child']
  return log
}

/** A log that says nothing, for tests and tools. */
export const silentLog: Log = pino({ level: 'silent' })

type Call = Parameters<pino.LogFn>
type MakeChild = (this: Log, fields: pino.Bindings, options?: pino.ChildLoggerOptions) => Log

/** The fields that each child says on every line. */
const bound = new WeakMap<object, pino.Bindings>()

/** The library makes a message of an error that comes without one, and puts further arguments into the message. */
function boundedCall([first, ...others]: Call, said: pino.Bindings | undefined): Call {
  const error = first instanceof Error ? first : errorOf(first)
  const fields = withoutRepeats(first instanceof Error ? { err: first } : first, said)
  const texts = others.length === 0 && error !== null ? [error.message] : others
  return [fields, ...texts].map((item: unknown) =>
    typeof item === 'string' ? shownText(item) : item,
  ) as unknown as Call
}

/** The fields of a line without those that its log says anyway: the library would write them twice. */
function withoutRepeats(fields: unknown, said: pino.Bindings | undefined): unknown {
  if (said === undefined || typeof fields !== 'object' || fields === null) return fields
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => !(name in said && said[name] === value)))
}

function errorOf(fields: unknown): Error | null {
  return typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error
    ? fields.err
    : null
}
