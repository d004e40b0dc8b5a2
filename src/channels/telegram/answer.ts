import { z } from 'zod'

const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  parameters: z
    .object({
      retry_after: z.number().nonnegative().optional(),
      // Exceeds 32 bits but not a safe integer.
      migrate_to_chat_id: z.int().optional(),
    })
    .optional(),
})

export type TelegramAnswer = z.output<typeof answer>

/** Null if not a reply of the Bot API. */
export function readAnswer(text: string): TelegramAnswer | null {
  const parsed = answer.safeParse(jsonOf(text))
  return parsed.success ? parsed.data : null
}

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
