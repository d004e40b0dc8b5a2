import { type SendingMails, sendNextMail } from './send-mails.ts'

/** Sends all mails about accounts that are due, one after the other. Answers how many attempts it made. */
export async function sendMails(sending: SendingMails): Promise<number> {
  let attempts = 0
  while ((await sendNextMail(sending)) !== null) attempts += 1
  return attempts
}
