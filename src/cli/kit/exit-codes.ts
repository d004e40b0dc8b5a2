import { isEarshotError } from '../../client/index.ts'
import { StartError } from '../../kernel/start-error.ts'

/** What a command ends with. Scripts go by it; docs/guides/command-line.md explains each. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  busy: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A reason for people, with the code that the command ends with. */
export class CommandError extends StartError {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Undefined for a defect. */
export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (error instanceof CommandError) return error.exitCode
  if (error instanceof StartError) return EXIT.failed
  if (!isEarshotError(error)) return undefined
  if (error.isPassing) return EXIT.busy
  return exitCodeFor(error.status)
}

/** By the HTTP status of a refusal that lasts. */
export function exitCodeFor(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT.notSignedIn
  if (status === 404) return EXIT.notFound
  return status === 400 || status === 405 ? EXIT.usage : EXIT.failed
}
