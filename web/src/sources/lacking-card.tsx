import type { Source } from '../api/workspace.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { Card } from '../kit/card.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import styles from './sources.module.css'
import { words } from './words.ts'

/** A platform that is not collected, and each setting that would change that. */
export function LackingCard({ source: { platform, missingSettings } }: { source: Source }) {
  return (
    <Card title={PLATFORM_NAMES[platform]} aside={words.needs(missingSettings.length)}>
      <ul className={styles.settings}>
        {missingSettings.map((setting) => (
          <li key={setting.name}>
            <Setting {...setting} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Setting({ name, meaning, form, price, getAt }: Source['missingSettings'][number]) {
  return (
    <>
      <div className={styles.settingName}>
        <code>{name}</code>
        <CopyButton value={name} label={words.copyName(name)} />
      </div>
      <p>{meaning}</p>
      <p className={styles.small}>{words.form(form)}</p>
      {getAt.length > 0 && (
        <p className={styles.small}>
          {words.price}: {price ?? words.free}
          <br />
          {words.getAt}{' '}
          {getAt.map((address, index) => (
            <span key={address}>
              {index > 0 && ' · '}
              <a href={address} target="_blank" rel="noopener noreferrer">
                {new URL(address).host}
              </a>
            </span>
          ))}
        </p>
      )}
    </>
  )
}
