export function rechargeFailedText({
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
    subject: 'Your Earshot balance could not be recharged',
    text: [
      `The balance of your Earshot workspace “${workspace}” is low, and charging the saved payment method for it ` +
        'came to nothing:',
      wordsOf(error),
      'Earshot retries once a day, or when you change the settings or top up. When the balance is used ' +
        'up, tracking stops until you top up:',
      publicUrl,
      '',
    ].join('\n\n'),
  }
}

/** Strips the provider's code from the reason. */
export function wordsOf(error: string): string {
  return error.replace(/^[a-z_]+: /, '')
}
