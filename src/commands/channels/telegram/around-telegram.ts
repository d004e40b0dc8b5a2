import type { TelegramLearned } from '../../../channels/contract.ts'
import { plus, SECOND_MS } from '../../../kernel/clock.ts'
import { readChat } from '../../../store/channel/telegram.ts'
import type { AroundSending } from '../../around-sending.ts'
import type { Services } from '../../writing.ts'
import { createPace } from '../pace.ts'
import { leaveChat, moveChat } from './chats.ts'

/** Telegram allows about 30 a second; the rest is for the bot's replies. */
const BOT_MAX_A_SECOND = 25

export const NOT_CONNECTED = 'no chat is connected to the channel yet'

export function createAroundTelegram({ db, clock }: Pick<Services, 'db' | 'clock'>): AroundSending {
  const pace = createPace({ wholePerSecond: BOT_MAX_A_SECOND })
  return {
    async before({ workspaceId, channelId, deliveryId, kind }) {
      const chat = await readChat(db, { workspaceId, channelId })
      if (chat === null) return { kind: 'hold', reason: NOT_CONNECTED }
      const { chatId, chatType } = chat
      // A person waits for a test, and tests are rare.
      const until =
        kind === 'test' ? null : pace.slotOf(deliveryId, { key: chatId, isGroup: chatType !== 'private' }, clock.now())
      if (until !== null) return { kind: 'defer', until, reason: 'waits for the rate limit of the chat' }
      return { kind: 'go', settings: { chatId } }
    },
    async after(_, result) {
      const learned = result.learned as TelegramLearned | undefined
      if (learned?.kind === 'busy') pace.rest(learned.chatId, plus(clock.now(), learned.forSeconds * SECOND_MS))
      if (learned?.kind === 'gone') await db.transaction((tx) => leaveChat(tx, learned.chatId))
      if (learned?.kind === 'moved') await db.transaction((tx) => moveChat(tx, learned.chatId, learned.to))
    },
  }
}
