import type { Person } from '../api/people.ts'
import { authorName } from '../app/post/author-name.ts'
import { PlatformGlyph } from '../app/post/platform-glyph.tsx'
import { Badge } from '../kit/badge.tsx'
import { ShareBar } from '../kit/share-bar.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import styles from './people.module.css'
import { words } from './words.ts'

const GLYPHS = 3

/** Who it is, and where they write. */
export function PersonName({ person }: { person: Person }) {
  const platforms = [...new Set(person.accounts.map(({ platform }) => platform))]
  const { name, handle, annotations } = person
  return (
    <span className={styles.person}>
      <span className={styles.glyphs}>
        {platforms.slice(0, GLYPHS).map((platform) => (
          <PlatformGlyph key={platform} platform={platform} />
        ))}
        {platforms.length > GLYPHS && <small>{words.accountsMore(platforms.length - GLYPHS)}</small>}
      </span>
      <span className={styles.name}>
        <bdi dir="auto">{authorName(person)}</bdi>
        <small>
          {name !== null && handle !== null && <bdi>{handle}</bdi>}
          {annotations.muted && <Badge tone="warning">{words.muted}</Badge>}
          {annotations.tags.map((tag) => (
            <Badge key={tag} tone="accent">
              <bdi>{tag}</bdi>
            </Badge>
          ))}
        </small>
      </span>
    </span>
  )
}

/** How the person writes, as parts of a bar. */
export function Moods({ sentiment: { positive, neutral, negative } }: Pick<Person['stats'], 'sentiment'>) {
  const all = Math.max(1, positive + neutral + negative)
  const text = words.moods(positive, neutral, negative)
  return (
    <span className={styles.moods} title={text}>
      <VisuallyHidden>{text}</VisuallyHidden>
      <ShareBar
        parts={[
          { share: positive / all, colour: '--positive' },
          { share: neutral / all, colour: '--others' },
          { share: negative / all, colour: '--negative' },
        ]}
      />
    </span>
  )
}
