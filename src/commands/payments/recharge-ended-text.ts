import { wordsOf } from './recharge-failed-text.ts'

export function rechargeEndedText({
  workspace,
  error,
  publicUrl,
}: {
  workspace: string
  error: string
  publicUrl: string
}): {
  subject: string
  text: string
} {
  return {
    subject: 'Your Earshot balance is no longer recharged',
    text: [
      `The balance of your Earshot workspace “${workspace}” was recharged automatically, and that was turned off:`,
      wordsOf(error),
      'When the balance is used up, tracking stops until you top up:',
      publicUrl,
      '',
    ].join('\n\n'),
  }
}
