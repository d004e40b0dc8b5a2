import { wordsOf } from './recharge-failed-text.ts'

/**
 * What the owner of a workspace is told when it is not recharged by itself any more; `error` as it is shown with the
 * wallet.
 */
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
