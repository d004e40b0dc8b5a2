import type { Trigger } from '../kit/floating/anchored.ts'
import { Menu } from '../kit/menu.tsx'
import { words } from './words.ts'

/** Pages of the server that the dashboard has no place for. Signing out is on the account page. */
const PAGES = [
  ['/account', words.account],
  ['/team', words.team],
  ['/keys', words.apiKeys],
  ['/guide', words.guide],
  ['/docs/', words.reference],
] as const

export function AccountMenu({ trigger }: { trigger: Trigger }) {
  const items = PAGES.map(([address, label]) => ({ label, onSelect: () => location.assign(address) }))
  return <Menu trigger={trigger} label={words.more} items={items} />
}
