import type { FoundPost, SearchAnswer, SearchedPlatform } from '../api/search.ts'
import { PLATFORM_NAMES } from '../app/platforms.ts'
import { matchedIn } from '../app/post/matched-in.ts'
import { StrangerLink, StrangerText } from '../app/post/stranger.tsx'
import { words as postWords } from '../app/post/words.ts'
import { Empty } from '../kit/empty.tsx'
import { Time } from '../kit/time.tsx'
import styles from './found-posts.module.css'
import { words } from './words.ts'

/** Posts of a platform that are shown; the page is about what comes. */
const SHOWN = 5

/** The posts of a live search by platform, each matched or with the rule that drops it. */
export function FoundPosts({ term, answer }: { term: string; answer: SearchAnswer }) {
  const { data, sources } = answer
  if (data.length === 0)
    return (
      <Empty quiet title={sources.some(({ status }) => status === 'ok') ? words.foundNone(term) : words.searchedNone}>
        <p>{words.foundNoneHelp}</p>
        <SilentPlatforms sources={sources} />
      </Empty>
    )
  const platforms = [...new Set(data.map(({ post }) => post.platform))]
  return (
    <div className={styles.found}>
      <p>{words.found(data.length, matchedIn(data))}</p>
      <ul className={styles.platforms}>
        {platforms.map((platform) => (
          <li key={platform}>
            <PlatformPosts
              name={PLATFORM_NAMES[platform]}
              posts={data.filter(({ post }) => post.platform === platform)}
            />
          </li>
        ))}
      </ul>
      <SilentPlatforms sources={sources} />
    </div>
  )
}

function PlatformPosts({ name, posts }: { name: string; posts: readonly FoundPost[] }) {
  return (
    <>
      <h3>{name}</h3>
      <ul className={styles.posts}>
        {posts.slice(0, SHOWN).map((found) => (
          <PostLine key={found.post.url} found={found} />
        ))}
      </ul>
      {posts.length > SHOWN && <small>{words.morePosts(posts.length - SHOWN)}</small>}
    </>
  )
}

function PostLine({ found: { post, author, matched, reason } }: { found: FoundPost }) {
  return (
    <li className={matched ? styles.post : styles.dropped}>
      <p className={styles.text}>
        <StrangerText text={post.title ?? post.text} />
      </p>
      <p className={styles.facts}>
        {author?.name != null && (
          <span>
            <StrangerText text={words.author(author.name)} />
          </span>
        )}
        <Time at={post.publishedAt} />
        <StrangerLink address={post.url}>{words.openPost}</StrangerLink>
        {reason !== null && <span className={styles.reason}>{postWords.because(reason)}</span>}
      </p>
    </li>
  )
}

/** Platforms that said nothing: those that are not set up, and those that failed. */
function SilentPlatforms({ sources }: { sources: readonly SearchedPlatform[] }) {
  const named = (...statuses: SearchedPlatform['status'][]) =>
    sources.filter(({ status }) => statuses.includes(status)).map(({ platform }) => PLATFORM_NAMES[platform])
  const [missing, failed] = [named('not_configured'), named('unavailable', 'timeout')]
  return (
    <>
      {missing.length > 0 && <p className={styles.silent}>{words.notSearched(missing)}</p>}
      {failed.length > 0 && <p className={styles.silent}>{words.noAnswer(failed)}</p>}
    </>
  )
}
