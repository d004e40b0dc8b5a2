import { Link, useLocation } from 'wouter'
import { More } from '../kit/icons.tsx'
import { AccountMenu } from './account-menu.tsx'
import { isAt, LISTEN_PLACES, MAIN_PLACES, SEND_PLACES, UNDERSTAND_PLACES, WORKSPACE_PLACES } from './places.ts'
import styles from './tab-bar.module.css'
import { words } from './words.ts'

const MENU_PLACES = [...UNDERSTAND_PLACES, ...SEND_PLACES, ...WORKSPACE_PLACES]

/** Places at the thumb, on phones. */
export function TabBar() {
  const [address] = useLocation()
  return (
    <nav className={styles.tabs} aria-label={words.places}>
      {[...MAIN_PLACES, ...LISTEN_PLACES].map((place) => {
        const { href, label, icon: Icon } = place
        return (
          <Link key={href} className={styles.tab} href={href} aria-current={isAt(place, address) ? 'page' : undefined}>
            <Icon />
            <span>{label}</span>
          </Link>
        )
      })}
      <AccountMenu
        places={MENU_PLACES}
        trigger={
          <button type="button" className={styles.tab}>
            <More />
            <span>{words.more}</span>
          </button>
        }
      />
    </nav>
  )
}
