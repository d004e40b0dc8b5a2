import type { Writable } from 'node:stream'
import { cleanLine, cleanText } from './clean.ts'

export interface TerminalOptions {
  stdout: Writable & { isTTY?: boolean; columns?: number | undefined }
  stderr: Writable & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

const NARROWEST = 40

/** Where a command writes: results to standard output, everything about its work to standard error. */
export class Terminal {
  /** People read the output, so that it is fitted to the width. */
  readonly isForPeople: boolean
  readonly width: number
  private readonly hasColour: boolean
  private readonly options: TerminalOptions
  private progressShown = false

  constructor(options: TerminalOptions) {
    const { stdout, env } = options
    this.options = options
    this.isForPeople = stdout.isTTY === true
    const columns = stdout.columns ?? Number(env['COLUMNS'] ?? 80)
    this.width = Math.max(NARROWEST, Number.isInteger(columns) ? columns : 80)
    this.hasColour = coloursIn(env, this.isForPeople)
  }

  /** Waits while the reader is slow. */
  async write(text: string): Promise<void> {
    this.clearProgress()
    if (this.options.stdout.write(text)) return
    await new Promise<void>((resolve) => {
      const { stdout } = this.options
      const done = () => {
        stdout.off('drain', done).off('close', done)
        resolve()
      }
      stdout.on('drain', done).on('close', done)
    })
  }

  async line(text = ''): Promise<void> {
    await this.write(`${text}\n`)
  }

  /** A line that may hold texts of strangers, without waiting for the reader. */
  say(text: string): void {
    this.clearProgress()
    this.options.stdout.write(`${cleanText(text).replaceAll('\n', ' ')}\n`)
  }

  note(text: string): void {
    this.clearProgress()
    this.options.stderr.write(`${cleanText(text)}\n`)
  }

  /** A question, after which the reader types on the same line. */
  ask(question: string): void {
    this.clearProgress()
    this.options.stderr.write(cleanText(question))
  }

  /** One line that the next one replaces. Only shown to people, and never into a file. */
  progress(text: string): void {
    if (this.options.stderr.isTTY !== true) return
    this.options.stderr.write(`\r\u001b[2K${cleanLine(text).slice(0, this.width - 1)}`)
    this.progressShown = true
  }

  clearProgress(): void {
    if (this.progressShown) this.options.stderr.write('\r\u001b[2K')
    this.progressShown = false
  }

  paint(colour: Colour, text: string): string {
    return this.hasColour && text !== '' ? `\u001b[${COLOURS[colour]}m${text}\u001b[0m` : text
  }
}

const COLOURS = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' } as const
export type Colour = keyof typeof COLOURS

/** https://no-color.org and https://force-color.org. */
function coloursIn(env: TerminalOptions['env'], isForPeople: boolean): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined && forced !== '') return forced !== '0'
  return isForPeople && env['TERM'] !== 'dumb'
}
