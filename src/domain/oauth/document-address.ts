import { canParse } from '../../kernel/can-parse.ts'

export const DOCUMENT_ADDRESS_MAX = 500

/** Whether a client's id is the address of a Client ID Metadata Document. */
export function isDocumentAddress(clientId: string): boolean {
  return clientId.startsWith('https://')
}

/** Null when valid. Addresses are compared as text, so each has one spelling. */
export function documentAddressProblem(address: string): string | null {
  if (address.length > DOCUMENT_ADDRESS_MAX) return `must have at most ${DOCUMENT_ADDRESS_MAX} characters`
  if (!isDocumentAddress(address) || !canParse(address)) return 'must be an https URL'
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (address.includes('#')) return 'must not have a fragment'
  if (url.pathname === '/') return 'must have a path'
  // The parser resolves dots, turns backslashes, drops white space and lowers the host.
  return url.href === address ? null : 'must be in its normal form'
}
