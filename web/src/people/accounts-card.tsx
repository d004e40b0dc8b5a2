import type { Person } from '../api/people.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { authorName } from '../app/post/author-name.ts'
import { PlatformGlyph } from '../app/post/platform-glyph.tsx'
import { StrangerLink } from '../app/post/stranger.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { useSeparation } from './merging.ts'
import styles from './people.module.css'
import { words } from './words.ts'

type Account = Person['accounts'][number]

/** The accounts that the team takes for one person. Each but the first can be separated. */
export function AccountsCard({ person }: { person: Person }) {
  const separation = useSeparation(person)
  return (
    <Card title={words.accounts}>
      <ul className={styles.rows}>
        {person.accounts.map((account) => (
          <li key={account.id} className={styles.row}>
            <PlatformGlyph platform={account.platform} />
            <AccountName account={account} />
            {account.id !== person.id && (
              <Button
                size="small"
                busy={separation.isPending && separation.variables.id === account.id}
                aria-label={words.separateOf(authorName(account))}
                onClick={() => separation.mutate(account)}
              >
                {words.separate}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function AccountName({ account }: { account: Account }) {
  const name = <bdi dir="auto">{authorName(account)}</bdi>
  return (
    <span className={styles.name}>
      <StrangerLink address={account.url} instead={name}>
        {name}
      </StrangerLink>
      <small>
        {PLATFORM_NAMES[account.platform]}
        {account.name !== null && account.handle !== null && <bdi>{account.handle}</bdi>}
      </small>
    </span>
  )
}
