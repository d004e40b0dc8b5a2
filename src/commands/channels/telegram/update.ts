import { z } from 'zod'
import { cleanLine, excerpt } from '../../../kernel/text.ts'

// Only the fields that we use; everything else is ignored.

const chat = z.object({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup']),
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
})

const update = z.object({
  update_id: z.int().nonnegative(),
  message: z.object({ chat, text: z.string().optional(), migrate_to_chat_id: z.int().optional() }).optional(),
  my_chat_member: z.object({ chat, new_chat_member: z.object({ status: z.string() }) }).optional(),
})

export interface Chat {
  chatId: string
  chatType: 'private' | 'group' | 'supergroup'
  /** Title of a group or name of a person, if any. */
  chatName: string | null
}

export type ChatEvent = { chat: Chat } & (
  | {
      kind: 'start'
      botName: string | null
      token: string | null
    }
  | { kind: 'left' }
  | { kind: 'moved'; to: string }
)

/** The update's id, and its content or null when irrelevant. */
export function readUpdate(body: unknown): { updateId: number; event: ChatEvent } | null {
  const parsed = update.safeParse(body)
  if (!parsed.success) return null
  const { update_id: updateId, message, my_chat_member: membership } = parsed.data
  const event =
    (message && eventOf(message)) ??
    (membership && OUTSIDE.has(membership.new_chat_member.status)
      ? { kind: 'left' as const, chat: chatFrom(membership.chat) }
      : null)
  return event ? { updateId, event } : null
}

/** A person who blocks the bot also causes `kicked`. */
const OUTSIDE = new Set(['left', 'kicked'])
const START = /^\/start(?:@(\w{1,64}))?(?:\s+(\S{1,64}))?\s*$/

function eventOf(message: NonNullable<z.output<typeof update>['message']>): ChatEvent | null {
  const from = chatFrom(message.chat)
  if (message.migrate_to_chat_id !== undefined)
    return { kind: 'moved', chat: from, to: String(message.migrate_to_chat_id) }
  const start = START.exec(message.text ?? '')
  return start && { kind: 'start', chat: from, botName: start[1] ?? null, token: start[2] ?? null }
}

const NAME_MAX = 100

function chatFrom({ id, type, title, first_name, last_name, username }: z.output<typeof chat>): Chat {
  const names = [title, [first_name, last_name].filter(Boolean).join(' '), username && `@${username}`]
  const name = names.map((name) => cleanLine(name ?? '')).find((text) => text !== '')
  return { chatId: String(id), chatType: type, chatName: name === undefined ? null : excerpt(name, NAME_MAX) }
}
