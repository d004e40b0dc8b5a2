import type { TelegramBot } from '../../../channels/contract.ts'
import { noteUpdate } from '../../../store/channel/telegram.ts'
import type { Transaction } from '../../../store/database.ts'
import type { Services } from '../../writing.ts'
import { leaveChat, moveChat } from './chats.ts'
import { connectChat } from './connect-chat.ts'
import { type ChatEvent, readUpdate } from './update.ts'

export type Became = 'connected' | 'not connected' | 'greeted' | 'left' | 'moved' | 'repeated' | 'of no matter'

const CONNECTED = 'This chat is connected to Earshot. Messages of the channel arrive here from now on.'
/** The same for used, expired and unknown links, so that guessing reveals nothing. */
const NOT_CONNECTED = 'This link was used or is older than 15 minutes. Create a new link for the channel in Earshot.'
const GREETING =
  'This bot sends mentions from Earshot. To connect this chat, add a Telegram channel in Earshot ' +
  'and open its link.'

/**
 * Handles an update once. Unknown updates succeed, so that Telegram does not repeat them. The bot replies after the
 * commit.
 */
export async function takeUpdate(
  services: Pick<Services, 'db' | 'clock' | 'channels' | 'log'>,
  bot: TelegramBot,
  body: unknown,
): Promise<Became> {
  const read = readUpdate(body)
  if (read === null) return 'of no matter'
  const { updateId, event } = read
  if (event.kind === 'start' && !(await isMeant(bot, event.botName))) return 'of no matter'
  const became = await services.db.transaction(async (tx) => {
    const isNew = await noteUpdate(tx, { bot: bot.id, updateId, at: services.clock.now() })
    return isNew ? act(tx, services, event) : 'repeated'
  })
  const answer = answerTo(event, became)
  const problem = answer === null ? null : await bot.say(event.chat.chatId, answer)
  if (problem !== null)
    services.log.warn({ event: 'telegram.reply_failed', problem }, 'The bot could not reply in a chat')
  return became
}

/** In a group of several bots a command may name its bot. */
async function isMeant(bot: TelegramBot, botName: string | null): Promise<boolean> {
  if (botName === null) return true
  const own = await bot.name()
  return own === null || own.toLowerCase() === botName.toLowerCase()
}

async function act(tx: Transaction, services: Pick<Services, 'clock' | 'channels'>, event: ChatEvent): Promise<Became> {
  switch (event.kind) {
    case 'start':
      if (event.token === null) return 'greeted'
      return (await connectChat(tx, services, event.chat, event.token)) ? 'connected' : 'not connected'
    case 'left':
      return (await leaveChat(tx, event.chat.chatId)) > 0 ? 'left' : 'of no matter'
    case 'moved':
      return (await moveChat(tx, event.chat.chatId, event.to)) > 0 ? 'moved' : 'of no matter'
  }
}

/** In a group the bot reports failures only when addressed by name. */
function answerTo(event: ChatEvent, became: Became): string | null {
  if (became === 'connected') return CONNECTED
  const isAsked = event.kind === 'start' && (event.chat.chatType === 'private' || event.botName !== null)
  if (!isAsked) return null
  if (became === 'not connected') return NOT_CONNECTED
  return became === 'greeted' ? GREETING : null
}
