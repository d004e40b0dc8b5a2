import type { Client, InputOf } from '../../client/index.ts'
import type { Cli } from '../kit/cli.ts'
import type { OutputOptions } from '../kit/output.ts'
import { cleanJson } from '../terminal/clean.ts'
import { mentionLines } from './mention-lines.ts'

/** Prints mentions as they arrive, until Ctrl-C. */
export async function printArriving(
  { terminal, signal }: Cli,
  client: Client,
  input: InputOf<'streamMentions'>,
  { json }: OutputOptions,
): Promise<void> {
  const waits = new Waits((text) => terminal.note(text))
  for await (const mention of client.streamMentions(input, { signal, onState: (state) => waits.see(state) })) {
    if (json) await terminal.line(cleanJson(mention))
    else await terminal.write(mentionLines(mention, terminal))
  }
}

/** Says once that a connection is away, and once that it is back. */
class Waits {
  private isAway = false
  private wasOpen = false

  constructor(private readonly note: (text: string) => void) {}

  see(state: 'connecting' | 'open' | 'waiting'): void {
    if (state === 'waiting' && !this.isAway) {
      this.note('The connection is away; trying again.')
      this.isAway = true
    }
    if (state !== 'open') return
    if (!this.wasOpen) this.note('Following new mentions. Press Ctrl-C to stop.')
    else if (this.isAway) this.note('The connection is back.')
    this.isAway = false
    this.wasOpen = true
  }
}
