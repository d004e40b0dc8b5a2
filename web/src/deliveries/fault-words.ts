/** What statuses mean for whoever mends the receiver, by the status or its hundreds. */
const MEANINGS: Readonly<Record<string, string>> = {
  '3': 'it redirects, and redirects are not followed; enter the final address',
  '401': 'it refuses the signature or the credentials',
  '403': 'it refuses the signature or the credentials',
  '404': 'there is nothing at the address',
  '405': 'it takes no POST at the address',
  '410': 'it no longer wants deliveries at the address',
  '413': 'the body is too large for it',
  '429': 'it takes no more requests for now',
  '4': 'it refuses the request',
  '5': 'it is at fault or down',
}

/** A fault of an attempt as the log names it, with what a status means. */
export function faultInWords(fault: string): string {
  const status = /^status (\d{3})$/.exec(fault)?.[1]
  if (status === undefined) return fault
  const meaning = MEANINGS[status] ?? MEANINGS[status[0]!]
  return `The receiver answered ${status}${meaning === undefined ? '' : `: ${meaning}`}.`
}
