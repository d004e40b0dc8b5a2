import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link, useLocation } from 'wouter'
import { listAttention } from '../api/attention.ts'
import { IconButton } from '../kit/button.tsx'
import { Count } from '../kit/count.tsx'
import { Code, Menu as MenuIcon, More, Search } from '../kit/icons.tsx'
import { Kbd } from '../kit/kbd.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BrandMark } from './brand-mark.tsx'
import { useAfterFirstLoad } from './first-load.ts'
import { mentionCountQuery } from './mention-count.ts'
import {
  isAt,
  LISTEN_PLACES,
  MAIN_PLACES,
  type Place,
  SEND_PLACES,
  UNDERSTAND_PLACES,
  WORKSPACE_PLACES,
} from './places.ts'
import styles from './side-bar.module.css'
import { SideFoot } from './side-foot.tsx'
import { useLive } from './use-live.ts'
import { words } from './words.ts'
import { useViews } from './workspace-queries.ts'

interface Handlers {
  onPalette: () => void
  onKeys: () => void
  onRequests: () => void
  onFold: () => void
}

export function SideBar({ onPalette, onKeys, onRequests, onFold }: Handlers) {
  const enabled = useAfterFirstLoad()
  const open = useQuery({ ...mentionCountQuery({ status: ['open'], relevant: true }), enabled })
  const attention = useQuery({
    queryKey: ['attention', 'open'],
    queryFn: ({ signal }) => listAttention({}, signal),
    enabled,
  })
  const client = useQueryClient()
  useLive(ATTENTION_CHANGES, () => void client.invalidateQueries({ queryKey: ['attention'] }))
  const counts: Readonly<Record<string, number | undefined>> = {
    '/inbox': open.data?.total,
    '/attention': attention.data?.data.length,
  }
  return (
    <nav className={styles.side} aria-label={words.places}>
      <div className={styles.brand}>
        <Link className={styles.home} href="/inbox">
          <BrandMark />
          <span className={styles.label}>{words.product}</span>
        </Link>
        <IconButton label={words.foldSideBar} icon={<MenuIcon />} onClick={onFold} />
      </div>
      <div className={styles.scroll}>
        <ul className={styles.places}>
          {MAIN_PLACES.map((place) => (
            <PlaceLink key={place.href} place={place} count={counts[place.href]} />
          ))}
        </ul>
        <ViewLinks />
        {SECTIONS.map(({ heading, places }) => (
          <Fragment key={heading}>
            <h2 className={styles.heading}>{heading}</h2>
            <ul className={styles.places}>
              {places.map((place) => (
                <PlaceLink key={place.href} place={place} />
              ))}
            </ul>
          </Fragment>
        ))}
      </div>
      <div className={styles.tools}>
        <IconButton label={words.palette} icon={<Search />} onClick={onPalette} />
        <IconButton label={words.keysHelp} icon={<Kbd keys="?" />} onClick={onKeys} />
        <IconButton label={words.requests} icon={<Code />} onClick={onRequests} />
        <AccountMenu trigger={<IconButton label={words.more} icon={<More />} />} />
      </div>
      <SideFoot />
    </nav>
  )
}

const ATTENTION_CHANGES = ['attention.opened', 'attention.resolved', 'attention.dismissed'] as const

const SECTIONS = [
  { heading: words.listen, places: LISTEN_PLACES },
  { heading: words.understand, places: UNDERSTAND_PLACES },
  { heading: words.send, places: SEND_PLACES },
  { heading: words.workspace, places: WORKSPACE_PLACES },
]

function PlaceLink({ place, count }: { place: Place; count?: number | undefined }) {
  const [address] = useLocation()
  const { href, label, icon: Icon, keys } = place
  return (
    <li>
      <Link
        className={styles.place}
        href={href}
        aria-current={isAt(place, address) ? 'page' : undefined}
        title={`${label} (${keys})`}
      >
        <Icon />
        <span className={styles.label}>{label}</span>
        {count !== undefined && count > 0 && (
          <span className={styles.count}>
            <Count value={count} />
          </span>
        )}
      </Link>
    </li>
  )
}

function ViewLinks() {
  const [address] = useLocation()
  const { data } = useViews()
  if (data === undefined || data.data.length === 0) return null
  return (
    <>
      <h2 className={styles.heading}>{words.views}</h2>
      <ul className={styles.places}>
        {data.data.map(({ id, name }) => (
          <li key={id}>
            <Link
              className={styles.place}
              href={`/inbox/${id}`}
              aria-current={address === `/inbox/${id}` ? 'page' : undefined}
              title={name}
            >
              <span className={styles.dot} aria-hidden="true" />
              <span className={styles.label}>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
