import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { cacheName, type QueriedModel, type VerdictCache } from '../../src/classify/ports.ts'
import { INTENTS, SENTIMENTS, type Verdict } from '../../src/domain/mention/classification.ts'

/** What a call to the model took. Tokens are null where the server gives no count. */
export interface ModelCall {
  milliseconds: number
  inputTokens: number | null
  outputTokens: number | null
  /** Why no answer came; null where one did. */
  fault: string | null
}

const call = z.object({
  milliseconds: z.number().min(0),
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  fault: z.string().nullable(),
})
const verdict = z.object({
  relevance: z.int().min(0).max(100),
  sentiment: z.enum(SENTIMENTS),
  intents: z.array(z.enum(INTENTS)),
  automated: z.boolean(),
  language: z.string().nullable(),
  confidence: z.number().min(0).max(1),
  note: z.string(),
})
const line = z.union([z.object({ key: z.string(), verdict }), z.object({ call })])

/**
 * The verdicts of a model and the calls that made them. With a file they are read from it and added to it, so that a
 * second run asks only for what is missing.
 */
export class ModelAnswers implements VerdictCache {
  readonly calls: ModelCall[] = []
  private readonly verdicts = new Map<string, Verdict>()
  private readonly file: string | null

  /** @throws Error with the number of the line that is not an answer */
  constructor(file: string | null) {
    this.file = file
    if (file === null || !existsSync(file)) return
    for (const [at, text] of readFileSync(file, 'utf8').split('\n').entries()) {
      if (text === '') continue
      const read = line.safeParse(jsonOf(text))
      if (!read.success) throw new Error(`--answers: line ${at + 1} of ${file} is not a recorded answer`)
      if ('call' in read.data) this.calls.push(read.data.call)
      else this.verdicts.set(read.data.key, read.data.verdict)
    }
  }

  find: VerdictCache['find'] = async (wanted) =>
    new Map(
      wanted.flatMap(({ workspaceId, key }) => {
        const known = this.verdicts.get(key.toString('hex'))
        return known === undefined ? [] : [[cacheName(workspaceId, key), known] as const]
      }),
    )

  keep: VerdictCache['keep'] = async (_, verdicts) => {
    for (const { key, verdict: kept } of verdicts) {
      this.verdicts.set(key.toString('hex'), kept)
      this.write({ key: key.toString('hex'), verdict: kept })
    }
  }

  /** The same model, whose calls are recorded. */
  recording(model: QueriedModel): QueriedModel {
    return {
      name: model.name,
      reasoningTokens: model.reasoningTokens,
      close: () => model.close(),
      complete: async (question, signal) => {
        const startedAt = performance.now()
        const reply = await model.complete(question, signal)
        const taken: ModelCall = {
          milliseconds: Math.round(performance.now() - startedAt),
          inputTokens: reply.usage?.input ?? null,
          outputTokens: reply.usage?.output ?? null,
          fault: 'fault' in reply ? `${reply.fault}: ${reply.message}` : null,
        }
        this.calls.push(taken)
        this.write({ call: taken })
        return reply
      },
    }
  }

  private write(item: z.infer<typeof line>): void {
    if (this.file !== null) appendFileSync(this.file, `${JSON.stringify(item)}\n`)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
