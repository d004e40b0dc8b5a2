import { type SendingMails, sendNextMail } from './send-mails.ts'

export async function sendMails(sending: SendingMails): Promise<number> {
  let attempts = 0
  while ((await sendNextMail(sending)) !== null) attempts += 1
  return attempts
}
