import type { StreamState } from './contract.ts'

export interface LogMessage {
  number: number
  data: Uint8Array
}

export interface LogState extends StreamState {
  /** Differs from that of every other log, an earlier one of the same name too. */
  id: string
}

/** What a driver provides: logs of numbered messages. Rejections are SourceFault 'stream'. */
export interface MessageLog {
  /** Creates the log if it is missing, and sets how long messages are kept. */
  prepare(name: string): Promise<void>
  /** Null if there is no log of this name. */
  state(name: string): Promise<LogState | null>
  /** Null if the message is kept no longer or not there yet. */
  read(name: string, number: number): Promise<LogMessage | null>
  /**
   * The number of the stored message; that of the earlier one if its id was stored within two minutes. Null, with
   * nothing stored, if the newest message is another than `after`.
   */
  append(name: string, message: { id: string; data: Uint8Array }, after: number): Promise<number | null>
  /**
   * Messages in order from a number on, or from the first that is kept if that is later, until `signal` aborts.
   * Connects once.
   */
  follow(name: string, from: number, signal: AbortSignal): AsyncIterable<LogMessage>
  describe(): Promise<string>
  close(): Promise<void>
}
