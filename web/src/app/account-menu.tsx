import { useLocation } from 'wouter'
import type { Trigger } from '../kit/floating/anchored.ts'
import { Menu } from '../kit/menu.tsx'
import { dispatcher } from './keys.ts'
import type { Place } from './places.ts'
import { words } from './words.ts'

/** Pages of the server that the dashboard has no place for. Signing out is on the account page. */
const PAGES = [
  ['/account', words.account],
  ['/team', words.team],
  ['/guide', words.guide],
  ['/docs/', words.reference],
] as const

interface AccountMenuProps {
  trigger: Trigger
  /** Places that have no room elsewhere. */
  places?: readonly Place[] | undefined
}

export function AccountMenu({ trigger, places = [] }: AccountMenuProps) {
  const [, navigate] = useLocation()
  const items = [
    // On a phone there is no other way to it.
    { label: words.palette, onSelect: () => void dispatcher.act('palette') },
    ...places.map(({ href, label }) => ({ label, onSelect: () => navigate(href) })),
    ...PAGES.map(([address, label]) => ({ label, onSelect: () => location.assign(address) })),
  ]
  return <Menu trigger={trigger} label={words.more} items={items} />
}
