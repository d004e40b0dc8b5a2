import { z } from 'zod'

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z
    .object({
      retry_after: z.number().nonnegative().optional(),
      // Too large for 32 bits, and small enough for a number that counts exactly.
      migrate_to_chat_id: z.int().optional(),
    })
    .optional(),
})

/** What the Bot API answers, as far as it is relied on. */
export type Answer = z.output<typeof answer>

/** Null when the text is no answer of the Bot API. */
export function readAnswer(text: string): Answer | null {
  const parsed = answer.safeParse(jsonOf(text))
  return parsed.success ? parsed.data : null
}

/** Whether the beginning of a reply, cut off anywhere, is that of an answer that says yes. */
export function beginsWell(text: string): boolean {
  return /^\s*\{\s*"ok"\s*:\s*true\s*[,}]/.test(text)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
