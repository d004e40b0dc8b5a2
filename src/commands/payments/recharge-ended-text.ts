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
    subject: 'Your Earshot balance is not recharged any more',
    text: [
      `The balance of your Earshot workspace “${workspace}” was recharged automatically, and that was turned off:`,
      wordsOf(error),
      'When the balance is used up, tracking stops until somebody tops up:',
      publicUrl,
      '',
    ].join('\n\n'),
  }
}
